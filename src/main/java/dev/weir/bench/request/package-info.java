/** What is sent to a service, and on which way. */
@NullMarked
package dev.weir.bench.request;

import org.jspecify.annotations.NullMarked;
