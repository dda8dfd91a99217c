/** The measurements of {@code make bench} and its siblings: with a Redis and a Weir of their own (docs/performance.md). */
@NullMarked
package dev.weir.bench.suite;

import org.jspecify.annotations.NullMarked;
