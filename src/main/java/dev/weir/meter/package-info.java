/** What a meter is to whoever is told of it: a name, labels and a value. */
@NullMarked
package dev.weir.meter;

import org.jspecify.annotations.NullMarked;
