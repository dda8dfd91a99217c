/** What to limit: the immutable rule set and its matching; no text format. */
@NullMarked
package dev.weir.rules;

import org.jspecify.annotations.NullMarked;
