package dev.weir.store.redis.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.WriteRedisConnectionException;
import org.redisson.client.handler.CommandDecoder;

final class FailureWordsTest {
    static List<Throwable> failures() {
        return List.of(
                new ClosedChannelException(),
                new IOException(),
                new IOException("Broken pipe"),
                new ConnectException("Connection refused"),
                new SSLException((String) null),
                new SSLHandshakeException("Received fatal alert: unknown_ca"),
                new CertPathValidatorException(),
                new CertificateException("No name matching redis found"),
                new RedisException(),
                new RedisException("ERR value is not an integer. channel: [id: 0x1] command: (EVALSHA), params: [ann]"),
                new RedisConnectionException("Unable to send command: (EVALSHA), params: [ann]"),
                noReply(new IllegalStateException("Can't decode replay: ann. channel: [id: 0x1]")),
                noReply(new IOException("Improper line ending: ann")),
                new IllegalStateException());
    }

    /** As Redisson's decoder throws it. */
    private static Throwable noReply(Exception failure) {
        failure.setStackTrace(new StackTraceElement[] {
            new StackTraceElement(Long.class.getName(), "parseLong", "Long.java", 1),
            new StackTraceElement(CommandDecoder.class.getName(), "decode", "CommandDecoder.java", 1),
            new StackTraceElement(FailureWords.class.getName(), "any", "FailureWords.java", 1)
        });
        return failure;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void every_failure_has_words_and_none_of_them_is_a_persons(Throwable failure) {
        assertThat(FailureWords.of(failure)).isNotBlank().doesNotContain("ann", "null");
        assertThat(FailureWords.of(new CompletionException(failure))).isEqualTo(FailureWords.of(failure));
    }

    @Test
    void a_call_over_a_connection_that_ended_meanwhile_says_so() {
        var failure = new WriteRedisConnectionException(
                "Unable to write command into connection! params: [ann]", new ClosedChannelException());
        assertThat(FailureWords.of(failure)).isEqualTo("the connection was closed");
    }

    @Test
    void what_redis_refuses_is_an_answer_and_a_connection_that_broke_is_none() {
        var outOfMemory = new RedisOutOfMemoryException("OOM command not allowed when used memory > 'maxmemory'");
        assertThat(FailureWords.isAnswer(new CompletionException(outOfMemory))).isTrue();
        assertThat(List.of(
                        new RedisResponseTimeoutException("Redis server response timeout (250 ms)"),
                        new RedisNodeNotFoundException("Node for slot: 7 hasn't been discovered yet"),
                        new RedisConnectionException("Unable to connect"),
                        new RedissonShutdownException("Redisson is shutdown"),
                        new ClosedChannelException(),
                        new TimeoutException()))
                .noneMatch(FailureWords::isAnswer);
    }

    @Test
    void a_password_that_is_wrong_and_clients_that_are_too_many_shut_us_out_and_nothing_else_does() {
        assertThat(List.of(
                        "NOAUTH Authentication required.. channel: [id: 0x1] command: (CLIENT)",
                        "WRONGPASS invalid username-password pair or user is disabled.",
                        "ERR max number of clients reached"))
                .allMatch(said -> FailureWords.isShutOut(new CompletionException(new RedisException(said))));
        assertThat(List.of("OOM command not allowed", "NOPERM this user has no permissions", "ERR value is"))
                .noneMatch(said -> FailureWords.isShutOut(new RedisException(said)));
        assertThat(FailureWords.isShutOut(new RedisConnectionException("NOAUTH ")))
                .isFalse();
    }

    @Test
    void what_redis_said_of_a_command_is_told_without_the_command() {
        var failure = new RedisException("ERR value is not an integer. channel: [id: 0x1] command: (EVALSHA)");
        assertThat(FailureWords.of(failure)).isEqualTo("ERR value is not an integer");
    }

    @Test
    void what_redis_repeats_of_a_command_that_it_does_not_know_is_left_out() {
        for (String said : List.of(
                "ERR unknown command 'AUTH', with args beginning with: 'weir' 'open-sesame' ",
                "ERR unknown command `AUTH`, with args beginning with: `weir`, `open-sesame`, ")) {
            assertThat(FailureWords.of(new RedisException(said + ". channel: [id: 0x1] command: (AUTH)")))
                    .startsWith("ERR unknown command ")
                    .endsWith("AUTH" + said.charAt(20))
                    .doesNotContain("weir", "open-sesame");
        }
        assertThat(FailureWords.answered("ERR unknown command 'AUTH' with args 'open-sesame'"))
                .isEqualTo("ERR unknown command 'AUTH'");
        assertThat(FailureWords.answered("ERR no: EVALSHA 0x1 weir{a1}\0\4shop"))
                .as("a key")
                .isEqualTo("ERR no: EVALSHA 0x1 weir");
        assertThat(FailureWords.answered("ERR " + "x".repeat(300))).hasSizeLessThan(210);
        assertThat(FailureWords.answered("NOPERM User weir has no permissions to run the 'time' command"))
                .isEqualTo("NOPERM this user has no permissions to run the 'time' command");
    }

    @Test
    void a_right_that_the_script_lacks_is_told_with_where_to_find_it() {
        assertThat(FailureWords.answered("The user executing the script can't run this command or subcommand"))
                .isEqualTo("The user executing the script can't run this command or subcommand; `ACL LOG` names it, and"
                        + " docs/redis.md all that the user needs");
        assertThat(FailureWords.answered("OOM command not allowed")).isEqualTo("OOM command not allowed");
    }

    @Test
    void who_refuses_is_told_where_sentinels_are_asked_first() {
        var ofSentinels = new RedisConnectionException(
                "Can't connect to servers!",
                new RedisException("WRONGPASS invalid. channel: [id: 0x1] command: (AUTH)"));
        assertThat(FailureWords.withSentinels(ofSentinels, true))
                .isEqualTo("refused by the sentinels (REDIS_SENTINEL_AUTH): WRONGPASS invalid");
        assertThat(FailureWords.withSentinels(ofSentinels, false))
                .isEqualTo("the sentinels want a password (REDIS_SENTINEL_AUTH)");
        var ofMaster = new RedisConnectionException(
                new CompletionException(new RedisException("NOAUTH first. channel: [id: 0x1]")));
        assertThat(FailureWords.withSentinels(ofMaster, false))
                .isEqualTo("refused by the master (REDIS_AUTH): NOAUTH first");
        var tooMany = new RedisConnectionException(
                new RedisException("ERR max number of clients reached. channel: [id: 0x1]"));
        assertThat(FailureWords.withSentinels(tooMany, false))
                .isEqualTo("refused by the master: ERR max number of clients reached");
        var silent = new RedisConnectionException("Can't connect to servers!");
        assertThat(FailureWords.withSentinels(silent, true))
                .isEqualTo(
                        "none of the sentinels that REDIS_URL names tells of a master, or DNS does not know their names");
    }

    @Test
    void what_is_laid_out_in_another_way_is_told_with_the_remedy() {
        assertThat(FailureWords.of(new RedisException(
                        "ERR This instance has cluster support disabled. channel: [id: 0x1] command: (CLUSTER NODES)")))
                .isEqualTo(
                        "ERR This instance has cluster support disabled; it is none, so leave REDIS_TYPE=CLUSTER out");
        assertThat(FailureWords.of(new RedisException(
                        "ERR unknown command 'SENTINEL', with args beginning with: 'MASTERS' . channel: [id: 0x1]")))
                .startsWith("it is no sentinel; ");
    }

    @Test
    void an_error_of_the_system_is_told_without_its_call() {
        assertThat(FailureWords.of(new IOException("finishConnect(..) failed with error(-111): Connection refused")))
                .isEqualTo("Connection refused");
    }

    @Test
    void bytes_that_are_no_reply_are_no_defect_but_what_redis_says_of_a_command_is_a_reply() {
        assertThat(List.of(noReply(new IllegalStateException()), noReply(new NumberFormatException())))
                .allMatch(FailureWords::isNoReply);
        assertThat(List.of(noReply(new RedisException("ERR")), new IllegalStateException()))
                .noneMatch(FailureWords::isNoReply);
    }

    @Test
    void a_name_that_is_not_known_is_told_whatever_the_resolver_says_below() {
        var unknown = new UnknownHostException("Failed to resolve 'redis'");
        unknown.initCause(new IllegalStateException("Query failed with NXDOMAIN"));
        assertThat(FailureWords.of(new RedisConnectionException("Unable to connect", unknown)))
                .isEqualTo("there is no such host, or DNS does not answer");
    }

    @Test
    void a_replica_says_that_it_only_reads_and_nothing_else_does() {
        String words = "Redis could not use a counter: READONLY You can't write against a read only replica.";
        assertThat(FailureWords.isReadOnly(StoreException.ofAnswer(words))).isTrue();
        assertThat(FailureWords.isReadOnly(new StoreException(words)))
                .as("nobody answered")
                .isFalse();
        assertThat(FailureWords.isReadOnly(StoreException.ofAnswer("Redis could not use a counter: OOM")))
                .isFalse();
    }

    @Test
    void a_handshake_that_was_not_answered_in_time_is_silence_like_any_other() throws Exception {
        var channel = new EmbeddedChannel();
        var tls = new SslHandler(SslContextBuilder.forClient().build().newEngine(channel.alloc()));
        tls.setHandshakeTimeoutMillis(1);
        channel.freezeTime();
        channel.pipeline().addLast(tls);
        channel.advanceTimeBy(2, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(FailureWords.isTimeout(tls.handshakeFuture().cause())).isTrue();
        var _ = channel.finishAndReleaseAll();
    }
}
