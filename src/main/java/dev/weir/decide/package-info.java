/** Request to matched rules to plan to readings to verdict. */
@NullMarked
package dev.weir.decide;

import org.jspecify.annotations.NullMarked;
