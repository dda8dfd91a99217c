/** The keys of counters, written and read. */
@NullMarked
package dev.weir.decide.key;

import org.jspecify.annotations.NullMarked;
