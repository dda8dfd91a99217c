/** Which rule set is in force: notice, load, check, swap, keep the last good one. */
@NullMarked
package dev.weir.rules.watch;

import org.jspecify.annotations.NullMarked;
