/** RateLimitConfig resources of a control plane to a rule set, over the aggregated discovery service. */
@NullMarked
package dev.weir.rules.xds;

import org.jspecify.annotations.NullMarked;
