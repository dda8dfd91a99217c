package dev.weir.request;

/**
 * A header that the caller shall add to its response.
 *
 * @param name as configured
 * @param value its text
 */
public record Header(String name, String value) {}
