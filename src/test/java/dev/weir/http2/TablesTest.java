package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Calls;
import dev.weir.call.Outcome;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.message.Budget;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of headers that a connection keeps, for what the caller sends and for what it is answered. */
final class TablesTest {
    private static final int OF_ONE_FULL_TABLE = 12 << 10;

    /** POST, http, a path and the type of gRPC, none of which is added. */
    private static final String CALL = "8386" + "04022f78" + "0f1010" + "6170706c69636174696f6e2f67727063";

    private static final String ADDED = "4001610162";

    /** Says that the table has 1,024 bytes. */
    private static final String SMALL = "3fe107";

    /** A table of 4,096 bytes has room for as many. */
    private static final int MANY = 119;

    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final List<EmbeddedCaller> others = new ArrayList<>();
    private final Budget tables = new Budget(OF_ONE_FULL_TABLE);

    private Connection begin(EmbeddedCaller who, int... settings) {
        Calls calls = (_, replies) -> {
            replies.close(Outcome.OK);
            return new NotedCall(new ArrayList<>(), replies);
        };
        Budgets budgets = EmbeddedCaller.budgets(new Budget(0), new Budget(0), tables);
        var connection = who.connect(EmbeddedCaller.methods(calls, 1_000), budgets);
        who.greet(settings);
        var _ = who.came();
        return connection;
    }

    private EmbeddedCaller another() {
        var other = new EmbeddedCaller();
        others.add(other);
        var _ = begin(other);
        return other;
    }

    @AfterEach
    void end() {
        caller.close();
        others.forEach(EmbeddedCaller::close);
    }

    private static void call(EmbeddedCaller who, int stream, String more) {
        send(who, stream, CALL + more);
    }

    private static void send(EmbeddedCaller who, int stream, String block) {
        who.send(EmbeddedCaller.block(stream, EmbeddedCaller.END_STREAM, block));
    }

    private static void assertAnswered(EmbeddedCaller who) {
        assertThat(who.came(EmbeddedCaller.HEADERS)).isNotEmpty();
    }

    private static void assertEnded(EmbeddedCaller who, String why) {
        assertThat(who.came(EmbeddedCaller.GO_AWAY)).singleElement().asString().contains(why);
        assertThat(who.channel().isOpen()).isFalse();
    }

    @Test
    void ours_is_small_whatever_the_caller_wants() {
        var connection = begin(caller, EmbeddedCaller.HEADER_TABLE_SIZE, -1);
        assertThat(bytesOfOurs(connection)).isEqualTo(512);
        caller.send(EmbeddedCaller.settings(EmbeddedCaller.HEADER_TABLE_SIZE, 100));
        assertThat(bytesOfOurs(connection)).isEqualTo(100);
        caller.send(EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, 1));
        assertThat(bytesOfOurs(connection)).as("it does not say").isEqualTo(100);
    }

    @Test
    void so_it_is_for_a_caller_who_does_not_say() {
        assertThat(bytesOfOurs(begin(caller))).isEqualTo(512);
    }

    private static long bytesOfOurs(Connection connection) {
        return connection.encoder().configuration().headersConfiguration().maxHeaderTableSize();
    }

    @Test
    void a_caller_who_allows_none_is_told_of_none() throws Http2Exception {
        Http2HeadersDecoder reader = new DefaultHttp2HeadersDecoder(false);
        reader.configuration().maxHeaderTableSize(0);
        var _ = begin(caller, EmbeddedCaller.HEADER_TABLE_SIZE, 0);
        call(caller, 1, "");
        var block = Unpooled.copiedBuffer(caller.came(EmbeddedCaller.HEADERS).getFirst(), StandardCharsets.ISO_8859_1);
        assertThat(reader.decodeHeaders(1, block).get("grpc-status")).hasToString("0");
    }

    @Test
    void who_fills_one_before_it_is_small_takes_the_room_of_all_and_is_ended_where_there_is_none() {
        var first = another();
        call(first, 1, ADDED.repeat(MANY));
        assertAnswered(first);
        call(first, 3, ADDED.repeat(MANY));
        assertAnswered(first); // and holds no more

        var second = another();
        call(second, 1, ADDED.repeat(30));
        assertAnswered(second); // as much as fits into a small one
        call(second, 3, ADDED.repeat(MANY));
        assertEnded(second, "too_many_headers_in_table");

        var third = another();
        third.acknowledge();
        send(third, 1, SMALL + CALL + ADDED.repeat(MANY));
        assertAnswered(third);

        first.acknowledge();
        send(first, 5, SMALL + CALL);
        assertAnswered(first);
        var fourth = another();
        call(fourth, 1, ADDED.repeat(MANY));
        assertAnswered(fourth);
        var _ = fourth.channel().disconnect();
        var fifth = another();
        call(fifth, 1, ADDED.repeat(MANY));
        assertAnswered(fifth);
    }

    @Test
    void one_that_is_not_made_small_in_time_ends_the_connection_only_if_it_holds_more() {
        var connection = begin(caller);
        call(caller, 1, ADDED.repeat(30));
        assertAnswered(caller);
        connection.endUnlessBegun();
        assertThat(caller.channel().isOpen()).isTrue();
        call(caller, 3, ADDED);
        assertAnswered(caller); // as there is still room in a small one
        call(caller, 5, ADDED.repeat(30));
        assertEnded(caller, "too_many_headers_in_table"); // though nobody else holds any

        var other = new EmbeddedCaller();
        others.add(other);
        var its = begin(other);
        call(other, 1, ADDED.repeat(MANY));
        assertAnswered(other);
        its.endUnlessBegun();
        assertEnded(other, "table_not_made_small");
    }

    @ParameterizedTest
    @ValueSource(strings = {SMALL, "20"})
    void one_that_is_made_small_or_emptied_in_time_takes_nothing_of_the_room(String said) {
        var connection = begin(caller);
        call(caller, 1, ADDED.repeat(MANY));
        caller.acknowledge();
        send(caller, 3, said + CALL);
        connection.endUnlessBegun();
        assertThat(caller.channel().isOpen()).isTrue();
        assertThat(tables.mayTake(OF_ONE_FULL_TABLE)).isTrue();
    }

    @Test
    void what_is_added_counts_with_its_characters() {
        var _ = begin(caller);
        assertThat(tables.mayTake(OF_ONE_FULL_TABLE)).isTrue();
        call(caller, 1, "400161" + "7fb916" + "62".repeat(3_000));
        assertEnded(caller, "too_many_headers_in_table");
    }

    /** Callers that use none often do not say that it is smaller, and older ones that do use it neither. */
    @Test
    void who_acknowledges_our_settings_and_does_not_say_so_is_understood() {
        var _ = begin(caller);
        call(caller, 1, ADDED);
        caller.acknowledge();
        call(caller, 3, "be"); // points to it
        assertAnswered(caller);
    }

    @Test
    void who_says_so_is_held_to_it() {
        var _ = begin(caller);
        caller.acknowledge();
        send(caller, 1, SMALL + CALL + ADDED);
        assertAnswered(caller);
        call(caller, 3, "be");
        assertAnswered(caller);
        send(caller, 5, "3fe207" + CALL); // a byte more
        assertEnded(caller, "table size");
    }
}
