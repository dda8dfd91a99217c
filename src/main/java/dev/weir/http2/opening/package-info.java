/** What the headers of a request say of the call that it opens. */
@NullMarked
package dev.weir.http2.opening;

import org.jspecify.annotations.NullMarked;
