package dev.weir.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Chromium with one page open, driven by its DevTools protocol.
 *
 * @see <a href="https://chromedevtools.github.io/devtools-protocol/">Chrome DevTools Protocol</a>
 */
public final class Browser implements AutoCloseable {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
    private static final String VARIABLE = "BROWSER_BIN";
    private static final String NONE = "none";
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ScratchFolder folder = ScratchFolder.create("browser");
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger commands = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Child child;
    private final WebSocket socket;

    private Browser(Path program, URI page) {
        child = Child.start(
                "browser",
                folder.path(),
                null,
                List.of(
                        program.toString(),
                        "--headless",
                        "--no-sandbox", // which root may not use, as whom containers run
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=1280,1400",
                        "about:blank"));
        try {
            child.awaitReady(
                    "the browser listens", STARTS_WITHIN, () -> listening().find());
            socket = client.newWebSocketBuilder()
                    .buildAsync(firstPage(), new Frames())
                    .get(ANSWERS_WITHIN.toSeconds(), TimeUnit.SECONDS);
            for (String domain : List.of("Runtime", "Log", "Page")) {
                var _ = tell(domain + ".enable", Map.of());
            }
            var _ = tell("Page.navigate", Map.of("url", page.toString()));
            await("location.href === '%s' && document.readyState === 'complete'".formatted(page));
        } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException | Error e) {
            end();
            throw new AssertionError("the browser cannot be used", e);
        }
    }

    /**
     * Opens a page in the browser of this machine; what happens where there is none is told at {@link Sought#require}. With
     * {@code BROWSER_BIN=none} none can be had, and the test that asks is skipped.
     */
    public static Browser open(URI page) {
        Assumptions.assumeFalse(NONE.equals(System.getenv(VARIABLE)), "there is no browser to be had");
        return new Browser(Found.BROWSER.require(), page);
    }

    /** Looks once, when first asked. */
    private static final class Found {
        static final Sought<Path> BROWSER = find();
    }

    private static Sought<Path> find() {
        return Stream.concat(
                        Stream.ofNullable(System.getenv(VARIABLE))
                                .filter(name -> !name.isEmpty())
                                .map(Path::of),
                        NAMES.stream().map(Child::executableOnPath).flatMap(Optional::stream))
                .findFirst()
                .<Sought<Path>>map(Sought.Present::new)
                .orElseGet(
                        () -> new Sought.Absent<>(
                                "No browser to test with: none in BROWSER_BIN, and no chromium on the PATH (Debian: apt-get install chromium)."));
    }

    private Matcher listening() {
        return LISTENING.matcher(child.output());
    }

    private URI firstPage() {
        var listening = listening();
        if (!listening.find()) {
            throw new AssertionError("the browser does not say where it listens");
        }
        var pages =
                Http.get(URI.create("http://" + listening.group(1) + "/json")).body();
        for (var one : parsed(pages)) {
            if (one.path("type").asText().equals("page")) {
                return URI.create(one.path("webSocketDebuggerUrl").asText());
            }
        }
        throw new AssertionError("the browser has no page: " + pages);
    }

    /** Returns what JavaScript says of the page, as text. */
    public String ask(String expression) {
        var result =
                tell("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value").asText();
    }

    /** Waits until JavaScript says that something is so. A page that is being loaded anew has nothing yet that could be asked. */
    public void await(String expression) {
        String orNotYet = "(() => { try { return !!(" + expression + "); } catch (notThere) { return false; } })()";
        Eventually.await("the page says " + expression, () -> ask(orNotYet).equals("true"));
    }

    /** Returns what the browser had to say against the page: errors of its scripts, what its policy forbids, what is not there. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    private JsonNode tell(String method, Map<String, ?> parameters) {
        int number = commands.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        asked.put(number, answer);
        try {
            var command = JSON.writeValueAsString(Map.of("id", number, "method", method, "params", parameters));
            var _ = socket.sendText(command, true);
            return answer.get(ANSWERS_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(method + " has no answer", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            asked.remove(number);
        }
    }

    private void heard(JsonNode message) {
        var answer = asked.get(message.path("id").asInt());
        if (answer != null) {
            answer.complete(message.path("result"));
            return;
        }
        var parameters = message.path("params");
        switch (message.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                complaints.add(parameters.path("exceptionDetails").toString());
            case "Log.entryAdded" -> complaints.add(parameters.path("entry").toString());
            default -> {}
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void end() {
        child.close();
        client.close();
        folder.close();
    }

    /** In peace, so that none of its processes writes into its folder any more. */
    @Override
    public void close() {
        try {
            var _ = socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
            var _ = child.awaitEnd(ANSWERS_WITHIN);
        } finally {
            socket.abort();
            end();
        }
    }

    /** A message may come in parts. */
    private final class Frames implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            message.append(part);
            if (isLast) {
                heard(parsed(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            onError(from, new IOException("the browser has left"));
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            asked.values().forEach(answer -> answer.completeExceptionally(failure));
        }
    }
}
