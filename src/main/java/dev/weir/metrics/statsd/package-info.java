/** How statsd is spoken: lines, and the way on which they go. */
@NullMarked
package dev.weir.metrics.statsd;

import org.jspecify.annotations.NullMarked;
