/** The threads on which everything between a caller's socket and the store's happens. */
@NullMarked
package dev.weir.loop;

import org.jspecify.annotations.NullMarked;
