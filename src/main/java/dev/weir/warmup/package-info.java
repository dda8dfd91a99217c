/** Requests that the service asks of itself before it says that it is ready. Knows HTTP/2 and nothing of Weir. */
@NullMarked
package dev.weir.warmup;

import org.jspecify.annotations.NullMarked;
