/** HTTP/1 on a port, on Netty's codec: reading requests, and what those who send them may make us hold. */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
