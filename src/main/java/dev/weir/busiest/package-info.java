/** Which counters are hit most, watched for as long as somebody asks. */
@NullMarked
package dev.weir.busiest;

import org.jspecify.annotations.NullMarked;
