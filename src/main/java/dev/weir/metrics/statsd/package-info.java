/** How statsd is spoken to: its lines, and the connection that takes them. */
@NullMarked
package dev.weir.metrics.statsd;

import org.jspecify.annotations.NullMarked;
