/** Counters of one process: the embedded default, and the yardstick in contract tests. */
@NullMarked
package dev.weir.store.memory;

import org.jspecify.annotations.NullMarked;
