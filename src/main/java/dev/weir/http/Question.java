package dev.weir.http;

import java.util.Set;

/**
 * What a page is asked.
 *
 * @param parameters the names that stand in the query
 * @param body as many bytes of it as the page wants to see
 */
@SuppressWarnings("ArrayRecordComponent") // it is read once, and never compared
public record Question(Set<String> parameters, byte[] body) {}
