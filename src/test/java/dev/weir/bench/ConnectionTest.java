package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Settings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection sends, by what the service has said, and what becomes of that. */
final class ConnectionTest {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int INITIAL_WINDOW_SIZE = 4;
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
    void a_service_that_does_not_greet_is_not_waited_for() {
        service.pass(Connection.GREETS_WITHIN);
        assertThat(service.isConnected()).isFalse();
        assertThat(connection.ready().exceptionNow()).hasMessage("it did not greet us within 10 s");
        assertThat(heard.ends()).isEmpty();
    }

    @Test
    void one_that_has_greeted_may_be_silent() {
        service.settings(MAX_CONCURRENT_STREAMS, 1);
        service.pass(Connection.GREETS_WITHIN);
        assertThat(service.isConnected()).isTrue();
        assertThat(connection.ready()).isCompletedWithValue(connection);
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

    @Test
    void what_more_than_the_places_would_wait_is_not_sent() {
        service.settings(MAX_CONCURRENT_STREAMS, 1);
        for (int i = 0; i < HeardEnds.PLACES + 3; i++) {
            send(i);
        }
        assertThat(heard.ends()).containsExactly("unsent", "unsent");
        assertThat(connection.unanswered()).isEqualTo(1 + HeardEnds.PLACES);
    }

    @Test
    void what_waits_when_the_service_asks_to_leave_is_sent_on_the_connection_that_comes() {
        service.settings(MAX_CONCURRENT_STREAMS, 2);
        send(5, 6, 7);
        service.goAway(3);
        send(8);
        service.answer(1);
        assertThat(service.requests()).containsExactly(1, 3);
        assertThat(service.isConnected()).isTrue();
        service.answer(3);
        assertThat(service.isConnected()).isFalse();
        assertThat(heard.ends()).containsExactly("leaving", "within 5", "within 6");
        assertThat(connection.unanswered()).isEqualTo(2);
        try (var next = handOver()) {
            assertThat(next.requests()).containsExactly(1, 3);
            next.answer(1);
            next.answer(3);
        }
        assertThat(heard.ends()).startsWith("within 7", "within 8");
        assertThat(connection.unanswered()).isZero();
    }

    /** A service may say at first that it will leave, and only then which streams it took. */
    @Test
    void what_the_service_did_not_take_is_sent_again_and_its_time_runs_on() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5, 6, 7, 8);
        service.goAway(Integer.MAX_VALUE);
        try (var next = handOver()) {
            assertThat(next.requests()).containsExactly(1);
            service.goAway(1);
            assertThat(next.requests()).containsExactly(3, 5);
            List.of(1, 3, 5).forEach(next::answer);
            service.answer(1);
            assertThat(heard.ends()).containsExactly("leaving", "within 8", "within 6", "within 7", "within 5");
        }
        assertThat(service.isConnected()).isFalse();
    }

    private FramedService handOver() {
        var next = heard.connection();
        var there = new FramedService(next);
        there.settings(MAX_CONCURRENT_STREAMS, 9);
        connection.handOver(next);
        return there;
    }

    @ParameterizedTest
    @CsvSource({
        "11, too_many_pings, ENHANCE_YOUR_CALM: too_many_pings",
        "2, '', INTERNAL_ERROR",
        "99, farewell, code 99: farewell"
    })
    void why_the_service_ends_the_connection_is_told_and_what_it_took_fails_so(int code, String words, String told) {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5, 6, 7);
        service.goAway(3, code, words);
        service.answer(1);
        service.close();
        assertThat(heard.ends())
                .containsExactly(
                        "dismissed: the service ended the connection: " + told,
                        "leaving",
                        "within 5",
                        "broken: the service ended the connection: " + told);
        assertThat(connection.unanswered()).as("what it did not take").isEqualTo(1);
    }

    @Test
    void why_the_service_ends_the_connection_stays_told_though_it_says_farewell_again_without_a_reason() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5);
        service.goAway(1, 11, "too_many_pings");
        service.goAway(1);
        service.close();
        assertThat(heard.ends())
                .last()
                .isEqualTo("broken: the service ended the connection: ENHANCE_YOUR_CALM: too_many_pings");
    }

    @Test
    void an_error_is_told_once_though_the_connection_is_left_already() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5);
        service.goAway(Integer.MAX_VALUE);
        service.goAway(1, 11, "too_many_pings");
        service.goAway(1, 2, "");
        service.close();
        String told = "the service ended the connection: ENHANCE_YOUR_CALM: too_many_pings";
        assertThat(heard.ends()).containsExactly("leaving", "dismissed: " + told, "broken: " + told);
    }

    @Test
    void an_error_is_told_of_a_connection_whose_streams_are_used_up() {
        var next = heard.connection(1);
        try (var there = new FramedService(next)) {
            there.settings(MAX_CONCURRENT_STREAMS, 9);
            next.send(5);
            there.goAway(1, 11, "calm");
        }
        assertThat(heard.ends())
                .startsWith("leaving", "dismissed: the service ended the connection: ENHANCE_YOUR_CALM: calm");
    }

    /** A write may fail while an answer is taken, and with it have come frames that are read after. */
    @Test
    void what_is_read_after_a_connection_broke_has_it_replaced_no_second_time() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5);
        var broken = service.breaks();
        connection.settings(broken, new Http2Settings());
        connection.leaving(broken, 1, null);
        assertThat(heard.ends()).hasSize(2).last().isEqualTo("lost");
    }

    @Test
    void a_service_that_ends_the_connection_in_place_of_a_greeting_is_quoted() {
        service.goAway(0, 11, "full");
        assertThat(connection.ready().exceptionNow())
                .hasMessage("the service ended the connection: ENHANCE_YOUR_CALM: full");
        assertThat(heard.ends()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 400 Bad Request, it answers in HTTP/1",
        "HTTP/1.0 200 OK, it answers in HTTP/1",
        "SSH-2.0-OpenSSH_10.0, Frame length: 5460808 exceeds maximum: 16384"
    })
    void a_service_that_speaks_something_else_is_told_by_its_first_words(String words, String told) {
        service.text(words.substring(0, 3));
        service.text(words.substring(3));
        assertThat(connection.ready().exceptionNow()).hasMessage("the connection broke: " + told);
        assertThat(service.isConnected()).isFalse();
    }

    @Test
    void a_connection_has_served_once_the_service_has_ended_a_request() {
        service.settings(MAX_CONCURRENT_STREAMS, 1);
        send(5, 6);
        connection.giveUp(5);
        assertThat(connection.hasServed()).isFalse();
        service.answer(3);
        assertThat(connection.hasServed()).isTrue();
    }

    @Test
    void an_error_of_http_is_told_by_its_status_though_a_body_follows() {
        service.settings(MAX_CONCURRENT_STREAMS, 3);
        send(5, 6, 7);
        service.status(1, 503);
        service.data(1, 'n', 'o');
        service.trailers(1);
        service.status(3, 103);
        service.status(3, 200);
        service.answer(3);
        service.status(5, 404);
        assertThat(heard.ends())
                .containsExactly(
                        "broken: an answer of HTTP with status 503",
                        "within 6",
                        "broken: an answer of HTTP with status 404");
    }

    @Test
    void without_a_connection_in_its_place_fails_what_waits_for_one_and_what_comes() {
        service.settings(MAX_CONCURRENT_STREAMS, 1);
        send(5, 6);
        service.goAway(1);
        connection.expectNoSuccessor();
        send(7);
        service.answer(1);
        assertThat(heard.ends())
                .containsExactly(
                        "leaving",
                        "broken: no connection could be made in place of one that was to be left",
                        "broken: the connection is closed",
                        "within 5");
    }

    @Test
    void a_connection_whose_streams_are_used_up_is_left() {
        var next = heard.connection(3);
        try (var there = new FramedService(next)) {
            there.settings(MAX_CONCURRENT_STREAMS, 9);
            List.of(5L, 6L, 7L).forEach(next::send);
            next.flush();
            assertThat(there.requests()).containsExactly(1, 3);
            assertThat(heard.ends()).containsExactly("leaving");
            assertThat(next.unanswered()).isEqualTo(3);
            there.answer(1);
            there.answer(3);
            assertThat(there.isConnected()).isFalse();
        }
    }

    @Test
    void a_window_that_is_smaller_than_a_request_is_refused_in_a_sentence() {
        service.settings(INITIAL_WINDOW_SIZE, 10);
        assertThat(connection.ready())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("it takes 10 bytes of a request at once, and one has 26");
    }
}
