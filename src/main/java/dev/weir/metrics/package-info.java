/** Meter names and the listeners that other rooms declare. */
@NullMarked
package dev.weir.metrics;

import org.jspecify.annotations.NullMarked;
