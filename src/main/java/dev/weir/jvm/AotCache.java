package dev.weir.jvm;

import org.slf4j.Logger;

/**
 * Whether classes came from the cache that {@code bin/make-aot-cache} made. {@code bin/weir} gives Java one that fits the
 * jars, and Java uses it unless its flags are others, or jars were copied without the times of the files; then it goes on without,
 * and slower.
 */
public final class AotCache {
    private static final String SLOWER = "so the start takes longer";

    private AotCache() {}

    /** Says so in a line. */
    public static void tell(Logger log) {
        switch (System.getProperty("weir.aot", "")) {
            case "given" -> {
                if (System.getProperty("java.vm.info", "").contains("sharing")) {
                    log.debug("classes come from the AOT cache");
                } else {
                    log.info("the AOT cache does not fit this Java, its flags or the times of the jars, {}", SLOWER);
                }
            }
            case "narrow" ->
                log.info(
                        "the AOT cache is left out, for it might not find room in a heap that is laid out so, {}",
                        SLOWER);
            case "none" -> log.info("there is no AOT cache of these jars (bin/make-aot-cache makes one), {}", SLOWER);
            default -> log.debug("started without bin/weir's AOT cache");
        }
    }
}
