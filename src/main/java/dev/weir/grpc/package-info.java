/** Protobuf to request and verdict to protobuf; health, reflection and the life of the gRPC server. */
@NullMarked
package dev.weir.grpc;

import org.jspecify.annotations.NullMarked;
