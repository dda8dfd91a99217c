/** The port to whatever keeps the counters. */
@NullMarked
package dev.weir.store;

import org.jspecify.annotations.NullMarked;
