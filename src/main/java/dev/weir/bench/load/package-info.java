/** What is asked of a service, and how fast. */
@NullMarked
package dev.weir.bench.load;

import org.jspecify.annotations.NullMarked;
