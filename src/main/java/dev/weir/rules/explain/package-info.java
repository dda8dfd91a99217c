/** Rules in words: what a limit says, and why a descriptor lands on one rule and on no other. */
@NullMarked
package dev.weir.rules.explain;

import org.jspecify.annotations.NullMarked;
