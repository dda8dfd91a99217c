/** How much a caller may make a connection do or hold beside its calls. */
@NullMarked
package dev.weir.http2.bound;

import org.jspecify.annotations.NullMarked;
