/** What is said when a call to Redis fails. */
@NullMarked
package dev.weir.store.redis.failure;

import org.jspecify.annotations.NullMarked;
