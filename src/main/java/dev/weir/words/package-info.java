/** Words that people write, and what they may have meant. */
@NullMarked
package dev.weir.words;

import org.jspecify.annotations.NullMarked;
