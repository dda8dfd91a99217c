/** Calls over HTTP/2, on Netty's codec: streams, frames and flow of a connection, and what a caller may make us hold. */
@NullMarked
package dev.weir.http2;

import org.jspecify.annotations.NullMarked;
