/** Tells collectors of OpenTelemetry what is traced and counted. The only room that knows that library. */
@NullMarked
package dev.weir.telemetry;

import org.jspecify.annotations.NullMarked;
