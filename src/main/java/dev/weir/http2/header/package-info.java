/** What stands in the headers of calls and answers. */
@NullMarked
package dev.weir.http2.header;

import org.jspecify.annotations.NullMarked;
