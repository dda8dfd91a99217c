/** What the library's scanner of YAML does not take and the Go service's does. */
@NullMarked
package dev.weir.rules.yaml.scan;

import org.jspecify.annotations.NullMarked;
