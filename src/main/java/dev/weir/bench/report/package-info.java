/** What {@code weir bench} tells, for people and for programs. */
@NullMarked
package dev.weir.bench.report;

import org.jspecify.annotations.NullMarked;
