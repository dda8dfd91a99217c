/** HTTP for people and probes: /json, health, rules in force, statistics. */
@NullMarked
package dev.weir.admin;

import org.jspecify.annotations.NullMarked;
