/** Counters in Redis, over Redisson: key bytes, slots, batching, the script and what it is sent and answers. */
@NullMarked
package dev.weir.store.redis;

import org.jspecify.annotations.NullMarked;
