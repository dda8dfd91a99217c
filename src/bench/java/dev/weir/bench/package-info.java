/** A load generator for ShouldRateLimit, and the standard set of measurements that {@code make bench} makes with it. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
