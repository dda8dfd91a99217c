/** Stores around stores: the deadline, the memory of refusals, and how many replicas share one. */
@NullMarked
package dev.weir.store.layer;

import org.jspecify.annotations.NullMarked;
