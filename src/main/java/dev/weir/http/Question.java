package dev.weir.http;

import java.util.Set;

/**
 * What a page is asked.
 *
 * @param method in upper case, as HTTP has it
 * @param parameters the names that stand in the query
 * @param authorization what the header of that name says; empty without one, or with one that is longer than a page would read
 * @param from the address of the caller
 * @param body as many bytes of it as the page wants to see
 */
@SuppressWarnings("ArrayRecordComponent") // it is read once, and never compared
public record Question(String method, Set<String> parameters, String authorization, String from, byte[] body) {}
