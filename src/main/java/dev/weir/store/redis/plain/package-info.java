/** The short way to Redis: hits that only have to be added, sent as plain commands. */
@NullMarked
package dev.weir.store.redis.plain;

import org.jspecify.annotations.NullMarked;
