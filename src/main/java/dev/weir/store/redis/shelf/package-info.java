/** What Redis keeps beside counters: one text that all replicas share. */
@NullMarked
package dev.weir.store.redis.shelf;

import org.jspecify.annotations.NullMarked;
