/** How to run: typed records read from the environment, and the one table that also writes the docs. */
@NullMarked
package dev.weir.settings;

import org.jspecify.annotations.NullMarked;
