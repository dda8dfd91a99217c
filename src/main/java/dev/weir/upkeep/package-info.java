/** Work beside the requests that nothing may end. */
@NullMarked
package dev.weir.upkeep;

import org.jspecify.annotations.NullMarked;
