package dev.weir.http;

import java.util.Map;

/**
 * What a page is asked.
 *
 * @param method in upper case, as HTTP has it
 * @param parameters of the query; the whole query under no name if it cannot be read, or says a name twice
 * @param authorization what the caller says who wants more than everybody may
 * @param from the address of the caller
 * @param body as many bytes of it as the page wants to see
 */
@SuppressWarnings("ArrayRecordComponent") // it is read once, and never compared
public record Question(
        String method, Map<String, String> parameters, Authorization authorization, String from, byte[] body) {}
