package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeldomTest {
    private final List<Long> lines = new ArrayList<>();

    @Test
    void the_first_line_is_due_at_once_and_the_next_one_only_after_a_pause() {
        var seldom = new Seldom(Duration.ofHours(1));
        seldom.tell(lines::add);
        seldom.tell(lines::add);
        seldom.tell(lines::add);
        assertThat(lines).containsExactly(1L);
    }

    @Test
    void a_line_says_how_many_reasons_there_were_since_the_last_one() {
        var seldom = new Seldom(Duration.ofMillis(50));
        long reasons = 0;
        while (lines.size() < 3) {
            seldom.tell(lines::add);
            reasons++;
        }
        assertThat(lines.getFirst()).isEqualTo(1);
        assertThat(lines.stream().mapToLong(Long::longValue).sum()).isEqualTo(reasons);
    }
}
