/** What a call is, without the wire that brings it: bytes of messages in, bytes and an outcome out. */
@NullMarked
package dev.weir.call;

import org.jspecify.annotations.NullMarked;
