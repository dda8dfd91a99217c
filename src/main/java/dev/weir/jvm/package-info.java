/** What the process and its Java take of the machine. */
@NullMarked
package dev.weir.jvm;

import org.jspecify.annotations.NullMarked;
