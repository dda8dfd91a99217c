package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection sends, by what the service has said, and what becomes of that. */
final class ConnectionTest {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int MAX_FRAME_SIZE = 5;

    private final HeardEnds heard = new HeardEnds();
    private final Connection connection = heard.connection();
    private final FramedService service = new FramedService(connection);

    @AfterEach
    void end() {
        service.close();
    }

    private void send(long... starts) {
        for (long start : starts) {
            connection.send(start);
        }
        connection.flush();
    }

    @Test
    void settings_that_do_not_name_the_number_of_streams_leave_it() {
        service.settings(MAX_CONCURRENT_STREAMS, 2);
        service.settings(MAX_FRAME_SIZE, 20_000);
        send(0, 1, 2, 3, 4);
        assertThat(service.requests()).hasSize(2);
        service.settings(MAX_CONCURRENT_STREAMS, 4);
        assertThat(service.requests()).hasSize(2);
        assertThat(connection.unanswered()).isEqualTo(5);
    }

    @Test
    void a_connection_is_busy_until_all_that_it_asked_is_answered_or_given_up() {
        service.settings(MAX_CONCURRENT_STREAMS, 1);
        send(5, 6);
        assertThat(connection.giveUp(4)).isTrue();
        assertThat(connection.giveUp(5)).isTrue();
        assertThat(connection.giveUp(6)).isFalse();
    }

    @Test
    void what_is_given_up_makes_room_for_what_waits_though_the_service_is_silent() {
        service.settings(MAX_CONCURRENT_STREAMS, 2);
        send(5, 6, 7, 8);
        assertThat(service.requests()).containsExactly(1, 3);
        assertThat(connection.giveUp(6)).isTrue();
        assertThat(service.requests()).containsExactly(5, 7);
        assertThat(heard.ends()).containsExactly("late 5", "late 6");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 6, 7})
    void a_verdict_is_found_wherever_frames_cut_the_message(int cut) {
        int[] message = {0, 0, 0, 0, 4, 1 << 3, 2, 1 << 4, 9};
        service.settings(MAX_CONCURRENT_STREAMS, 2);
        send(5, 6);
        service.data(1, Arrays.copyOf(message, cut));
        service.data(3, 0, 0, 0, 0, 2, 1 << 3, 1);
        service.data(1, Arrays.copyOfRange(message, cut, message.length));
        service.data(1);
        service.trailers(1);
        service.trailers(3);
        assertThat(heard.ends()).containsExactly("over 5", "within 6");
    }

    @Test
    void a_message_of_single_bytes_has_a_verdict_and_one_that_says_nothing_has_none() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5, 6, 7);
        for (int next : new int[] {0, 0, 0, 0, 2, 1 << 3, 2}) {
            service.data(1, next);
        }
        service.data(3, 0, 0, 0, 0, 0);
        service.data(5, 0, 0, 0, 0, 4, 2 << 3, 1, 1 << 3, 1);
        List.of(1, 3, 5).forEach(service::trailers);
        String none = "broken: an answer without a verdict";
        assertThat(heard.ends()).containsExactly("over 5", none, none);
    }
}
