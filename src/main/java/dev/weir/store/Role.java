package dev.weir.store;

/** What a refusal by one check means for the whole request. */
public enum Role {
    /** It refuses the request. */
    ENFORCING,

    /** It refuses the request together with all others of its kind: a descriptor of them that passes lets it pass. */
    QUOTA,

    /** It means nothing; it is only told. */
    SHADOW
}
