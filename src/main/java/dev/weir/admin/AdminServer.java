package dev.weir.admin;

import dev.weir.http.Address;
import dev.weir.http.HttpServer;
import dev.weir.http.Page;
import dev.weir.http.Pages;
import dev.weir.http.Reply;
import dev.weir.loop.EventLoops;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.words.Unseen;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * HTTP on two ports: one for callers and probes, one for operators.
 *
 * <p>The first has {@code /json} and the pages of probes ({@link ProbePages}); the second has {@code /} (what there is), {@code /rlconfig}
 * (the rules in force), {@code /stats}, {@link LivePages}, {@link BusiestPage}, {@link ExplainPage}, {@link ResetPage} and {@link RulesPage}, and should not be open to everyone.
 */
public final class AdminServer implements AutoCloseable {
    static final Page NO_PAGE = _ -> Reply.text(404, "There is no such page.\n");
    static final Reply NOBODY_WAITS = Reply.text(503, "nobody waits for an answer\n");

    private static final String ENDPOINTS = """
            /busiest: the counters with the most hits, watched for five seconds
            /explain: which rules what is posted meets, and what its counters say
            /live: what happens just now, in a browser
            /reset: forgets the counters of what is posted, with ADMIN_TOKEN
            /rlconfig: the rules in force
            /rules: the rules that are kept in the store, with ADMIN_TOKEN
            /stats: counters and gauges of this process
            """;

    private final HttpServer open;
    private final HttpServer debug;

    private AdminServer(HttpServer open, HttpServer debug) {
        this.open = open;
        this.debug = debug;
    }

    /**
     * Opens both ports and answers on them until {@link #close}.
     *
     * @param thread on which it reads and writes; it outlives the server
     * @throws IOException if one of them cannot be had; its message says which. Neither is open then
     */
    public static AdminServer start(Address openAddress, Address debugAddress, Inside inside, EventLoops thread)
            throws IOException {
        Map<String, Page> pages = new HashMap<>(new ProbePages(inside.probes()).byPath());
        pages.put("/json", new JsonPage(inside));
        var open = HttpServer.start("HTTP port (HOST, PORT)", openAddress, new Pages(pages, NO_PAGE), thread);
        try {
            return new AdminServer(
                    open,
                    HttpServer.start("debug port (DEBUG_HOST, DEBUG_PORT)", debugAddress, debugPages(inside), thread));
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    /** Returns the port on which callers are answered. */
    public int port() {
        return open.port();
    }

    /** Returns the port on which operators are answered. */
    public int debugPort() {
        return debug.port();
    }

    /** Closes both ports; calls under way have a second to end. */
    @Override
    public void close() {
        open.close();
        debug.close();
    }

    private static Pages debugPages(Inside inside) {
        var ruleLines = new RuleLines(inside.fixedWindowCharge());
        Map<String, Page> pages = new HashMap<>(LivePages.byPath(inside.live()));
        pages.putAll(Map.of(
                "/",
                _ -> Reply.text(200, ENDPOINTS),
                "/busiest",
                new OneForAll(new BusiestPage(inside.store())),
                "/explain",
                new OneAtATime(new ExplainPage(inside)),
                "/reset",
                ResetPage.of(inside),
                "/rlconfig",
                new OneAtATime(_ -> Reply.packed(to -> ruleLines.write(rules(inside), to))),
                "/rules",
                RulesPage.of(inside.ruleChanges(), inside.adminToken()),
                "/stats",
                new OneAtATime(_ -> Reply.packed(to -> write(inside.statistics().get(), to)))));
        Map<String, Page> forPeople = new HashMap<>();
        pages.forEach((path, page) -> forPeople.put(path, new ForPeople(page)));
        return new Pages(
                forPeople, new ForPeople(_ -> Reply.text(404, "There is no such page. There are\n" + ENDPOINTS)));
    }

    private static List<Rule> rules(Inside inside) {
        RuleSet inForce = inside.inForce().get();
        return inForce == null ? List.of() : inForce.rules();
    }

    private static void write(Iterable<String> lines, Writer to) throws IOException {
        for (String line : lines) {
            to.append(Unseen.shown(line)).append('\n');
        }
    }
}
