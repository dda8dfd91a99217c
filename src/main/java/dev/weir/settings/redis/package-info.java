/** Where Redis is, one or two of them, and how it lets us in. */
@NullMarked
package dev.weir.settings.redis;

import org.jspecify.annotations.NullMarked;
