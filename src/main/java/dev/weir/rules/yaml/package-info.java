/** YAML text to a rule set, or every mistake with file, line and column. */
@NullMarked
package dev.weir.rules.yaml;

import org.jspecify.annotations.NullMarked;
