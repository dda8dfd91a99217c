/** The command line: serve, check, hit. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
