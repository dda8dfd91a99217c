package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Browser;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.WeirProcess;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An operator looks at a replica in a real browser. */
final class LiveIT {
    private static final Map<String, String> RULES = Map.of("shop.yaml", """
        domain: shop
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 3 } }
          - key: <img src=x onerror=alert(1)>
            rate_limit: { unit: year, requests_per_unit: 1000000 }
        """);
    private static final String ROWS = "document.getElementById('rules').rows";

    @Test
    void what_happens_now_is_seen_as_it_happens() {
        try (var weir = WeirProcess.start(RULES);
                var caller = Caller.of(weir);
                var browser = Browser.open(weir.debug("/live"))) {
            browser.await("document.getElementById('state').innerText.includes('rules in force')");
            browser.await("document.getElementById('more').textContent === 'None was hit.'");

            hitUntil(browser, caller, ROWS + ".length === 2");
            assertThat(browser.ask("[...%s].map(row => row.cells[0].textContent).sort().join(' | ')".formatted(ROWS)))
                    .isEqualTo("shop.<img src=x onerror=alert(1)> | shop.user");
            assertThat(browser.ask("document.images.length")).isEqualTo("0");
            hitUntil(browser, caller, "document.getElementById('tiles').innerText.includes('%')");
            assertThat(browser.ask("document.querySelectorAll('canvas').length"))
                    .isEqualTo("2");

            browser.ask("getSelection().selectAllChildren(document.querySelector('h1'))");
            browser.ask("find('tiles').dataset.seen = find('tiles').innerText");
            hitUntil(browser, caller, "find('tiles').innerText !== find('tiles').dataset.seen");

            explains(browser, "user=eve", "shop; user=eve; 3 in 31536000 s: over its limit or locked, for ");
            explains(browser, "user=eve\\,ann", "shop; user=eve,ann; 3 in 31536000 s: none of 3 hits is used");
            browser.ask("document.getElementById('watch').click()");
            hitUntil(browser, caller, "document.getElementById('busiest').textContent.includes('user=eve')");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void a_page_that_does_not_fit_the_replica_says_so_or_is_loaded_anew() {
        try (var weir = WeirProcess.start(RULES);
                var browser = Browser.open(weir.debug("/live"))) {
            browser.await("document.getElementById('more').textContent === 'None was hit.'");
            browser.ask("shownAt = 0");
            browser.await("charts[0].columns[1].indexOf(null, 1) > 0");
            browser.ask("showTiles = () => { throw new Error('made for this test'); }");
            browser.await("find('trouble').textContent.endsWith('does not know: load it anew.')");
            browser.ask("find('version').textContent = 'of yesterday'");
            browser.await("document.getElementById('trouble').hidden");
            browser.await("document.getElementById('more').textContent === 'None was hit.'");
            browser.ask("{ fetch = async () => new Response('', {status: 500}); }");
            browser.await("find('trouble').textContent.startsWith('This replica answered with 500;')");
        }
    }

    @Test
    void a_value_between_two_gaps_is_a_point() {
        try (var weir = WeirProcess.start(RULES);
                var browser = Browser.open(weir.debug("/live"))) {
            browser.await("document.getElementById('more').textContent === 'None was hit.'");
            assertThat(browser.ask(colored(null))).isEqualTo("0");
            assertThat(browser.ask(colored(7))).isNotEqualTo("0");
        }
    }

    /** Returns how many pixels show that color, in which a chart has only one value. */
    private static String colored(@Nullable Integer value) {
        return """
            (() => {
                const place = document.createElement('div');
                document.body.append(place);
                const chart = new Chart(place, [{label: 'a', color: '--bad', value: now => now}]);
                [null, %s, null].forEach((value, i) => chart.add(1000 + i, value));
                chart.plot.redraw(false);
                return new Promise(done => requestAnimationFrame(() => {
                    const canvas = place.querySelector('canvas');
                    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                    const [red, green, blue] = chart.resolved('var(--bad)').match(/\\d+/g).map(Number);
                    let count = 0;
                    for (let i = 0; i < pixels.length; i += 4) {
                        count += pixels[i] === red && pixels[i + 1] === green && pixels[i + 2] === blue ? 1 : 0;
                    }
                    done(count);
                }));
            })()""".formatted(value);
    }

    private static void hitUntil(Browser browser, Caller caller, String condition) {
        Eventually.await("hits are seen: " + condition, () -> {
            caller.hit("shop", "user", "eve");
            caller.hit("shop", "<img src=x onerror=alert(1)>", "");
            return browser.ask("!!(" + condition + ")").equals("true");
        });
    }

    private static void explains(Browser browser, String descriptor, String counter) {
        browser.ask("""
            {
                const form = document.getElementById('explain');
                form.domain.value = 'shop';
                form.descriptors.value = String.raw`%s`;
                form.requestSubmit();
            }""".formatted(descriptor));
        browser.await("document.getElementById('explanation').textContent.includes('Nothing was counted.')");
        assertThat(browser.ask("document.getElementById('explanation').textContent"))
                .contains("rule         user\n", counter);
    }

    @Test
    void a_replica_that_has_gone_is_told() {
        try (var weir = WeirProcess.start(RULES);
                var browser = Browser.open(weir.debug("/live"))) {
            browser.await("document.getElementById('state').innerText.includes('rules in force')");
            weir.kill();
            browser.await("document.getElementById('trouble').textContent === 'This replica does not answer.'");
            assertThat(browser.ask("document.getElementById('state').innerText"))
                    .isEqualTo("not known");
        }
    }
}
