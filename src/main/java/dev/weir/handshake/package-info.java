/** The handshake of TLS that a caller's connection begins with, by files that may change meanwhile. */
@NullMarked
package dev.weir.handshake;

import org.jspecify.annotations.NullMarked;
