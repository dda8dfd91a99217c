package dev.weir.handshake;

import io.netty.handler.ssl.SslContext;

/**
 * What was read from the files.
 *
 * @param context of connections that begin
 * @param expiry of its certificates
 */
record TlsMaterial(SslContext context, Expiry expiry) {}
