/** gRPC's wire: calls over HTTP/2 on Netty's codec. Bytes of messages in, bytes and an outcome out. */
@NullMarked
package dev.weir.http2;

import org.jspecify.annotations.NullMarked;
