/** Rules that operators put while the service runs: kept in the store, and the same for all replicas. */
@NullMarked
package dev.weir.rules.kept;

import org.jspecify.annotations.NullMarked;
