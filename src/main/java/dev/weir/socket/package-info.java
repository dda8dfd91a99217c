/** What a connection is before anything is said on it: where it is taken, how old it gets, and when it is given up. */
@NullMarked
package dev.weir.socket;

import org.jspecify.annotations.NullMarked;
