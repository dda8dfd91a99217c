package dev.weir.call;

/** Why a call was refused by its headers or its frames, before anybody looked at its message. */
public enum Refusal {
    /** What it asks for is no path. */
    PATH,
    /** It does not say that it is gRPC's. */
    CONTENT_TYPE,
    /** It is no POST. */
    METHOD,
    /** Its messages are packed in a way that is not understood. */
    ENCODING,
    /** Its timeout cannot be read. */
    TIMEOUT,
    /** It has more headers than are taken. */
    HEADER_LIST,
    /** Its connection has as many calls open as it may have, or all connections together have. */
    STREAMS,
    /** A frame breaks the rules of HTTP/2, or comes in a flood, or answers are not taken: mostly the whole connection ends. */
    PROTOCOL
}
