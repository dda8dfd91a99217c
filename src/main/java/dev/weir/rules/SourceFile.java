package dev.weir.rules;

/**
 * One file (or resource) of rules as it was found.
 *
 * @param name how mistakes in it are called: its path as the operator knows it
 * @param content its bytes; handed over, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between two rooms, never compared
public record SourceFile(String name, byte[] content) {}
