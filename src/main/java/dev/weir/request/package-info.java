/** Question and answer in our words, whatever the wire says. */
@NullMarked
package dev.weir.request;

import org.jspecify.annotations.NullMarked;
