package dev.weir.store.redis;

import dev.weir.store.redis.failure.FailureWords;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript;

/** One call of the script on its way, again and again only where nothing has run. */
final class ScriptCall {
    private static final String NO_SCRIPT = "NOSCRIPT";

    // Together about the preset deadline of a caller: whoever is still in two places then is told so.
    private static final int MOST_PAUSES = 5;
    private static final Executor AFTER_A_PAUSE = CompletableFuture.delayedExecutor(3, TimeUnit.MILLISECONDS);

    private final RScript scripts;
    private final Script script;
    private final @Nullable Duration longest;
    private final String slotKey;
    private final List<Object> keys;
    private final byte[] arguments;
    private final boolean isPatient;
    private int loads;
    private int pauses;

    /**
     * Creates a call.
     *
     * @param longest after which each try is given up; null if Redisson gives it up by itself
     * @param slotKey a key of the slot that {@code keys} live in, for a cluster
     * @param isPatient whether a call whose keys are on two nodes goes out again in a moment, or fails at once
     */
    ScriptCall(
            RScript scripts,
            Script script,
            @Nullable Duration longest,
            String slotKey,
            List<Object> keys,
            byte[] arguments,
            boolean isPatient) {
        this.scripts = scripts;
        this.script = script;
        this.longest = longest;
        this.slotKey = slotKey;
        this.keys = keys;
        this.arguments = arguments;
        this.isPatient = isPatient;
    }

    CompletableFuture<byte[]> send() {
        var asked = scripts.<byte[]>evalShaAsync(
                        slotKey, RScript.Mode.READ_WRITE, script.sha(), RScript.ReturnType.VALUE, keys, (Object)
                                arguments)
                .toCompletableFuture();
        return bounded(asked, longest).exceptionallyCompose(this::sendAgain);
    }

    /** Gives a call up that takes longer, if that is not null: Redisson then leaves off. */
    static <T> CompletableFuture<T> bounded(CompletableFuture<T> asked, @Nullable Duration longest) {
        if (longest == null) {
            return asked;
        }
        CompletableFuture<T> bounded = asked.copy().orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS);
        var _ = bounded.whenComplete((_, _) -> asked.cancel(false));
        return bounded;
    }

    private CompletableFuture<byte[]> sendAgain(Throwable failure) {
        String message = FailureWords.messageOf(failure);
        if (message.startsWith(NO_SCRIPT) && loads < 2) {
            return load().thenCompose(_ -> send());
        }
        if (FailureWords.isTryAgain(failure) && isPatient && pauses < MOST_PAUSES) {
            pauses++;
            return CompletableFuture.runAsync(() -> {}, AFTER_A_PAUSE).thenCompose(_ -> send());
        }
        return CompletableFuture.failedFuture(failure);
    }

    /**
     * First where the slot is thought to be. If the script is still missed, the call was sent on to another node: then
     * everywhere, and whoever cannot be reached is not waited for longer than for any call.
     */
    private CompletableFuture<?> load() {
        loads++;
        return loads == 1
                ? scripts.scriptLoadAsync(slotKey, script.text()).toCompletableFuture()
                : scripts.scriptLoadAsync(script.text()).toCompletableFuture().handle((_, _) -> loads);
    }
}
