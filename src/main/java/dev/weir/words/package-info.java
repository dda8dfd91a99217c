/** Words that people write, and what they mean or may have meant. */
@NullMarked
package dev.weir.words;

import org.jspecify.annotations.NullMarked;
