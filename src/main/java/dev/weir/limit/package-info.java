/** The arithmetic of limits: quota, algorithm, and the reference model of each algorithm. No I/O, no clock of its own. */
@NullMarked
package dev.weir.limit;

import org.jspecify.annotations.NullMarked;
