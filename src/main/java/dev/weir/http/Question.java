package dev.weir.http;

import java.util.Set;

/**
 * What a page is asked.
 *
 * @param method in upper case, as HTTP has it
 * @param parameters the names that stand in the query
 * @param authorization what the caller says who wants more than everybody may
 * @param from the address of the caller
 * @param body as many bytes of it as the page wants to see
 */
@SuppressWarnings("ArrayRecordComponent") // it is read once, and never compared
public record Question(String method, Set<String> parameters, Authorization authorization, String from, byte[] body) {}
