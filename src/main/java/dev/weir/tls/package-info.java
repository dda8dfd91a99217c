/** Certificates and keys in PEM files, for connections that are encrypted. */
@NullMarked
package dev.weir.tls;

import org.jspecify.annotations.NullMarked;
