/** A load generator for any rate limit service that speaks Envoy's protocol: {@code weir bench}, and {@code make bench}. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
