/** The messages of a call: bytes of a stream, cut and compressed in any way, and what is held of them. */
@NullMarked
package dev.weir.http2.message;

import org.jspecify.annotations.NullMarked;
