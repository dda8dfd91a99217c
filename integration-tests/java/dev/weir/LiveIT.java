package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Browser;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.WeirProcess;
import java.util.Map;
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

            explains(browser, "user=eve", "shop; user=eve; 3 in 31536000 s: over its limit or locked, for ");
            explains(browser, "user=eve\\,ann", "shop; user=eve,ann; 3 in 31536000 s: none of 3 hits is used");
            browser.ask("document.getElementById('watch').click()");
            hitUntil(browser, caller, "document.getElementById('busiest').textContent.includes('user=eve')");
            assertThat(browser.complaints()).isEmpty();
        }
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
                    .isEqualTo("no answer");
        }
    }
}
