/** Counters in Redis, through scripts managed by Redisson: key bytes, slots, batching, reply decoding. */
@NullMarked
package dev.weir.store.redis;

import org.jspecify.annotations.NullMarked;
