/** How log lines look and which are written; the only place that knows the library behind SLF4J. */
@NullMarked
package dev.weir.logging;

import org.jspecify.annotations.NullMarked;
