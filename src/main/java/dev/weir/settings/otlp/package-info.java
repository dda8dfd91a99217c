/** How collectors of OpenTelemetry are told. */
@NullMarked
package dev.weir.settings.otlp;

import org.jspecify.annotations.NullMarked;
