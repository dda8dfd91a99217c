/** Pages over HTTP: /json, health, statistics, and what operators see and change. */
@NullMarked
package dev.weir.admin;

import org.jspecify.annotations.NullMarked;
