/** What a thread may ask of Linux and not of Java. On other systems nothing is asked. */
@NullMarked
package dev.weir.linux;

import org.jspecify.annotations.NullMarked;
