/** What happens just now: the difference of two looks at what is counted. */
@NullMarked
package dev.weir.live;

import org.jspecify.annotations.NullMarked;
