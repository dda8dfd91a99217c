/** The command line: serve, check, explain, hit, bench. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
