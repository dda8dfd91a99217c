/** Main, wiring from top to bottom, and the order of start and stop: the only place that sees every room. */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
