/** Reads variables of the environment: what their texts may be, and every mistake at once. */
@NullMarked
package dev.weir.settings.table;

import org.jspecify.annotations.NullMarked;
