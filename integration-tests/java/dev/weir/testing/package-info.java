/** Real things for tests: a Redis, an Envoy, a built Weir, and a network that misbehaves on demand. Nothing is simulated. */
@NullMarked
package dev.weir.testing;

import org.jspecify.annotations.NullMarked;
