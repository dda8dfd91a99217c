/** Stores around stores: deadline, timing. */
@NullMarked
package dev.weir.store.layer;

import org.jspecify.annotations.NullMarked;
