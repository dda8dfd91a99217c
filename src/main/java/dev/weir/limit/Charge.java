package dev.weir.limit;

/** When hits are counted against a limit. */
public enum Charge {
    /** In any case, refused ones too: who keeps knocking stays out. */
    ALWAYS,

    /** Only if the whole request is admitted, by every limit on every descriptor of it. */
    ON_ADMIT,

    /** As many as are left, in any case: for costs that are known afterwards. Over the limit if they are fewer than asked. */
    DRAIN
}
