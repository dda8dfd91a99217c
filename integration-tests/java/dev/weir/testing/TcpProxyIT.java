package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Each misbehaviour, in front of a real Redis: what reached the server, and what the client was told. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TcpProxyIT {
    private final RedisServer redis = RedisServer.start();
    private TcpProxy proxy = TcpProxy.to(redis.port());

    @BeforeEach
    void begin() {
        redis.command("FLUSHALL");
        proxy.close();
        proxy = TcpProxy.to(redis.port());
    }

    @AfterAll
    void end() {
        proxy.close();
        redis.close();
    }

    @Test
    void hands_everything_on_and_counts_it() throws Exception {
        var watch = proxy.watch("INCR");
        try (var client = client()) {
            assertThat(client.ask("INCR", "a")).isEqualTo(1L);
            assertThat(client.ask("INCR", "a")).isEqualTo(2L);
        }
        watch.await(2);
        assertThat(watch.count()).isEqualTo(2);
        assertThat(proxy.requestBytes()).isEqualTo(2L * "*2\r\n$4\r\nINCR\r\n$1\r\na\r\n".length());
        assertThat(proxy.replyBytes()).isEqualTo(2L * ":1\r\n".length());
        assertThat(proxy.swallowedBytes()).isZero();
        Eventually.await("the connection is forgotten", () -> proxy.openConnections() == 0);
    }

    @Test
    void swallows_the_reply_to_one_request_but_not_the_request() throws Exception {
        try (var unlucky = client();
                var other = client()) {
            proxy.swallowReplyTo("INCR");
            assertThat(unlucky.ask("PING")).isEqualTo("PONG"); // not the one that is waited for
            var answer = CompletableFuture.supplyAsync(() -> ask(unlucky, "INCR", "a"));
            Eventually.await("the reply is swallowed", () -> proxy.swallowedBytes() == ":1\r\n".length());
            assertThat(redis.command("GET", "a")).isEqualTo("1");
            assertThat(other.ask("INCR", "a")).isEqualTo(2L);
            assertThat(answer).isNotDone();
            proxy.resume(); // cuts the connection that has lost bytes, and no other
            assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class);
            assertThat(other.ask("INCR", "a")).isEqualTo(3L);
        }
    }

    @Test
    void swallows_every_reply_until_it_resumes() throws Exception {
        try (var client = client()) {
            proxy.swallowReplies();
            var answer = CompletableFuture.supplyAsync(() -> ask(client, "INCR", "a"));
            Eventually.await("the reply is swallowed", () -> proxy.swallowedBytes() > 0);
            proxy.resume();
            assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class);
            assertThat(redis.command("GET", "a")).isEqualTo("1");
        }
        assertThat(Ping.through(proxy.port())).isEqualTo("PONG");
    }

    @Test
    void holds_replies_after_the_server_has_acted() throws Exception {
        try (var client = client()) {
            proxy.holdReplies();
            var answer = CompletableFuture.supplyAsync(() -> ask(client, "INCR", "a"));
            Eventually.await("the reply is at the gate", () -> proxy.replyBytes() > 0);
            assertThat(redis.command("GET", "a")).isEqualTo("1");
            assertThat(answer).isNotDone();
            proxy.resume();
            assertThat(answer.join()).isEqualTo("1");
        }
    }

    @Test
    void cuts_what_is_open_and_takes_new_connections() throws Exception {
        try (var client = client()) {
            assertThat(client.ask("PING")).isEqualTo("PONG");
            proxy.cut();
            assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        }
        assertThat(Ping.through(proxy.port())).isEqualTo("PONG");
    }

    @Test
    void refuses_new_connections_and_keeps_old_ones() throws Exception {
        try (var client = client()) {
            assertThat(client.ask("PING")).isEqualTo("PONG");
            proxy.refuse();
            assertThatThrownBy(() -> Ping.through(proxy.port())).hasMessageContaining("refused");
            assertThat(client.ask("PING")).isEqualTo("PONG");
            proxy.resume();
            assertThat(Ping.through(proxy.port())).isEqualTo("PONG");
        }
    }

    @Test
    void finds_a_fragment_that_arrives_in_two_pieces() {
        assertThat(Sightings.occurrences("EVALSHA", "..EVAL" + "SHA..", 6)).isEqualTo(1);
        assertThat(Sightings.occurrences("EVALSHA", "EVALSHA" + "......", 7)).isZero(); // was counted before
        assertThat(Sightings.occurrences("EVALSHA", "EVALSHA EVALSHA", 0)).isEqualTo(2);
    }

    private RespConnection client() throws IOException {
        return new RespConnection("127.0.0.1", proxy.port(), Eventually.DEADLINE);
    }

    private static String ask(RespConnection client, String... words) {
        try {
            return String.valueOf(client.ask(words));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
