package dev.weir.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes over real sockets, as callers of all kinds write them. */
@Timeout(60)
final class HttpServerTest {
    private static final String HOST = "Host: h\r\n";
    private static final String END = "\r\n";
    private static final Duration NEVER = Duration.ofMinutes(1);
    private static final String LONG = "a line with \u00fc, \u20ac and \ud83d\ude00\n".repeat(20_000);

    private final EventLoops thread = EventLoops.single("http");
    private final CountDownLatch isLetGo = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        Map<String, Page> pages = new HashMap<>(Map.of(
                "/hello",
                _ -> Reply.text(200, "hello"),
                "/echo",
                new Echo(),
                "/known",
                new Known(),
                "/names",
                asked -> Reply.text(
                        200,
                        String.join(
                                ",",
                                asked.parameters().entrySet().stream()
                                        .map(Object::toString)
                                        .sorted()
                                        .toList())),
                "/who",
                asked -> Reply.text(
                                200,
                                asked.method() + " from " + asked.from() + " with '"
                                        + asked.authorization().said() + "'")
                        .with("X-Own", "yes"),
                "/empty",
                _ -> Reply.text(500, ""),
                "/slow",
                _ -> slow(),
                "/defect",
                _ -> {
                    throw new IllegalStateException("made for this test");
                },
                "/endless",
                _ -> {
                    throw new StackOverflowError("made for this test");
                }));
        pages.put("/long", _ -> Reply.packed(to -> to.write(LONG)));
        server = HttpServer.start(
                "test",
                new Address("127.0.0.1", 0),
                new Pages(pages, _ -> Reply.text(404, "no such page")),
                thread,
                NEVER);
    }

    @AfterEach
    void end() {
        isLetGo.countDown();
        server.close();
        thread.close();
    }

    private Reply slow() {
        try {
            isLetGo.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Reply.text(200, "at last");
    }

    /** Says all, and that it is all, and returns all that comes. */
    private String told(String... said) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            for (String part : said) {
                socket.getOutputStream().write(part.getBytes(ISO_8859_1));
                socket.getOutputStream().flush();
            }
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void a_caller_of_http_1_0_is_answered_in_kind_and_left() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write("GET /hello HTTP/1.0\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.0 200 OK\r\n")
                    .contains("\r\nConnection: close\r\n")
                    .endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void one_who_wants_to_stay_may() throws IOException {
        String stay = "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        assertThat(told(stay, stay).split("Connection: keep-alive", -1)).hasSize(3);
    }

    @Test
    void what_is_asked_ahead_is_answered_in_order() throws IOException {
        String all = told(("GET /hello HTTP/1.1\r\n" + HOST + END).repeat(300) + "GET /nothing HTTP/1.1\r\n" + HOST
                + "Connection: close\r\n\r\n");
        assertThat(all.split("HTTP/1.1 200 OK", -1)).hasSize(301);
        assertThat(all).endsWith("\r\n\r\nno such page").contains("HTTP/1.1 404 Not Found\r\n");
    }

    @Test
    void who_closes_after_the_answer_is_closed() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String question = "GET /hello HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(question.getBytes(ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .endsWith("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 5, 12345, 12345",
        "Content-Length: 30, 123456789012345678901234567890, 12345678901",
        "Transfer-Encoding: chunked, '2\r\n12\r\n3;x=y\r\n345\r\n0\r\nTrailer: t\r\n\r\n', 12345",
        "Content-Length: 0, '', ''"
    })
    void a_page_sees_as_much_of_a_body_as_it_wants(String header, String body, String seen) throws IOException {
        String post = "POST /echo HTTP/1.1\r\n" + HOST + header + "\r\n\r\n" + body;
        assertThat(told(post, "GET /hello HTTP/1.1\r\n" + HOST + END))
                .contains("\r\n\r\nsaw '" + seen + "'HTTP/1.1 200 OK")
                .endsWith("hello");
    }

    @Test
    void who_asks_first_whether_to_send_a_body_is_told_to() throws IOException {
        String post = "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        assertThat(told(post, "12"))
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
                .endsWith("saw '12'");
    }

    @ParameterizedTest
    @CsvSource({
        "/names?b=1&a&c=%20, 'a=,b=1,c= '",
        "/names?b=1&a&b=2, '=b=1&a&b=2'",
        "http://there/names?a, a=",
        "http://there/names?b|\", 'b|\"='",
        "http://there/names, ''",
        "http://there?a=/names, no such page",
        "http://there, no such page",
        "*, no such page",
        "/names, ''",
        "/names?a=%zz, '=a=%zz'",
        "/hel%6Co, hello"
    })
    void a_target_is_read(String target, String answer) throws IOException {
        assertThat(told("GET " + target + " HTTP/1.1\r\n" + HOST + END)).endsWith("\r\n\r\n" + answer);
    }

    @ParameterizedTest
    @CsvSource({
        "'GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n', 400",
        "'GET relative HTTP/1.1\r\nHost: h\r\n\r\n', 400",
        "'GET : HTTP/1.1\r\nHost: h\r\n\r\n', 400",
        "'GET /hello\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\nHost: h\r\nno header\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\nHost: h\r\nno(header: a\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\nHost: h\r\na: b\u0000c\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\nHost: h\u0000i\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\n\r\n', 400",
        "'GET /hello HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n', 400",
        "'GET /hello HTTP/1.0\r\nHost: h\r\nhost: i\r\n\r\n', 400",
        "'PRI * HTTP/2.0\r\n\r\n', 505",
        "'GET /hello HTTP/1.1\r\nHost: h\r\na: b\r\n c\r\n\r\n', 400",
        "'\r\n\r\nGET /hello HTTP/1.1\r\nHost: h\r\na: b\r\n\tc\r\n\r\n', 400",
        "'POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\nGET /hello HTTP/1.1\r\nHost: h\r\n\r\n', 501",
        "'POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 501",
        "'POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400",
        "'POST /echo HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12', 400",
        "'POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12', 400",
        "'POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: much\r\n\r\n', 400",
        "'POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n', 400"
    })
    void what_is_no_request_is_refused_and_its_caller_left(String said, int status) throws IOException {
        assertThat(told(said)).startsWith("HTTP/1.1 " + status + " ").containsOnlyOnce("\r\nDate: ");
        assertThat(told("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"))
                .as("others are answered")
                .endsWith("hello");
    }

    /** The decoder sees a body and a head in one piece, cut anywhere. */
    @Test
    void lines_of_a_body_may_begin_with_a_blank() throws IOException {
        String post = "\r\nPOST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 10\r\n\r\n{\n 1,\n\t2}\n";
        assertThat(told(post + post))
                .contains("saw '{\n 1,\n\t2}\n'HTTP/1.1 200 OK")
                .endsWith("saw '{\n 1,\n\t2}\n'");
        for (int cut = 1; cut < post.length(); cut++) {
            assertThat(told(post.substring(0, cut), post.substring(cut))).endsWith("saw '{\n 1,\n\t2}\n'");
        }
    }

    @Test
    void lines_and_headers_have_a_bound() throws IOException {
        String much = "x".repeat(20_000);
        assertThat(told("GET /" + much + " HTTP/1.1\r\nHost: h\r\n\r\n")).startsWith("HTTP/1.1 414 ");
        assertThat(told("GET / HTTP/1.1\r\nHost: h\r\na: " + much + "\r\n\r\n")).startsWith("HTTP/1.1 431 ");
        assertThat(told("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + much))
                .startsWith("HTTP/1.1 414 ");
    }

    @Test
    void after_head_only_the_length_of_the_answer_comes() throws IOException {
        assertThat(told("HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n"))
                .contains("\r\nContent-Length: 5\r\n")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'HEAD /hello HTTP/1.1\r\n\r\n', 400",
        "'HEAD relative HTTP/1.1\r\nHost: h\r\n\r\n', 400",
        "'HEAD /hello HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n', 501",
        "'HEAD /hello HTTP/1.1\r\nHost: h\r\nContent-Length: much\r\n\r\n', 400"
    })
    void so_it_is_where_that_is_refused(String said, int status) throws IOException {
        assertThat(told(said))
                .startsWith("HTTP/1.1 " + status + " ")
                .doesNotContain("\r\nContent-Length: 0\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void what_is_refused_after_that_is_told_why() throws IOException {
        String head = "HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n";
        assertThat(told(head + "GET /hello HTTP/1.1\r\n\r\n")).endsWith("a request names its host once\n");
        assertThat(told(head + "GET /hello HTTP/1.1\r\na: b\r\n c\r\n\r\n")).endsWith("goes on in the next one\n");
    }

    @ParameterizedTest
    @CsvSource({
        "gzip, true",
        "'gzip;q=1.0,*;q=0.1', true",
        "'deflate, GZIP;q=0.5, br', true",
        "x-gzip, true",
        "'', false",
        "'deflate, br', false",
        "gzip;q=0, false",
        "'br,gzip; q=0.000,*', false",
        "notgzip, false"
    })
    void a_long_answer_goes_packed_to_who_takes_that_and_plain_to_all_others(String codings, boolean isPacked)
            throws IOException {
        String accept = codings.isEmpty() ? "" : "accept-encoding: " + codings + END;
        String get = "GET /long HTTP/1.1\r\n" + HOST + accept + END;
        String all = answers(get + get.replace(HOST, HOST + "Connection: close\r\n"));
        for (int i = 0; i < 2; i++) {
            String head = all.substring(0, all.indexOf("\r\n\r\n"));
            assertThat(head).startsWith("HTTP/1.1 200 OK").contains("\r\nVary: Accept-Encoding");
            assertThat(head.contains("\r\nContent-Encoding: gzip")).isEqualTo(isPacked);
            int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
            int begin = head.length() + 4;
            byte[] body = all.substring(begin, begin + length).getBytes(ISO_8859_1);
            assertThat(new String(isPacked ? unpacked(body) : body, UTF_8)).isEqualTo(LONG);
            all = all.substring(begin + length);
        }
        assertThat(all).isEmpty();
        assertThat(told(get.replace("GET", "HEAD")))
                .contains("\r\nContent-Length: ")
                .endsWith("\r\n\r\n");
    }

    /** Says all and waits for the end, without a word that this was all. */
    private String answers(String said) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(said.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static byte[] unpacked(byte[] body) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
    }

    @Test
    void codings_that_are_too_long_to_be_looked_at_are_no_reason_to_turn_anybody_away() throws IOException {
        String get = "GET /long HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip" + ", br".repeat(64) + "\r\n\r\n";
        assertThat(told(get)).startsWith("HTTP/1.1 200 OK").doesNotContain("Content-Encoding");
    }

    @Test
    void an_answer_says_when_it_was_given_and_what_it_is() throws IOException {
        assertThat(told("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"))
                .containsPattern("\r\nDate: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n")
                .contains("\r\nContent-Type: text/plain; charset=utf-8\r\n");
        assertThat(told("GET /empty HTTP/1.1\r\nHost: h\r\n\r\n"))
                .startsWith("HTTP/1.1 500 Internal Server Error\r\n")
                .contains("\r\nContent-Length: 0\r\n")
                .doesNotContain("Content-Type");
    }

    @Test
    void of_whom_a_page_reads_nothing_nothing_is_held() throws IOException {
        String rest = "Content-Length: 3\r\n\r\nabc";
        assertThat(told("POST /known HTTP/1.1\r\nHost: h\r\nAuthorization: ann\r\n" + rest))
                .endsWith("saw 'abc' of ***");
        assertThat(told("POST /known HTTP/1.1\r\nHost: h\r\nAuthorization: eve\r\n" + rest))
                .endsWith("saw '' of ***");
        assertThat(told("POST /known HTTP/1.1\r\nHost: h\r\n" + rest)).endsWith("saw '' of none");
    }

    @Test
    void a_page_sees_who_asks_and_has_headers_of_its_own() throws IOException {
        assertThat(told("DELETE /who HTTP/1.1\r\nHost: h\r\nauthorization: Bearer a\r\nAuthorization: b\r\n\r\n"))
                .contains("\r\nX-Own: yes\r\n")
                .endsWith("DELETE from 127.0.0.1 with 'Bearer a'");
        assertThat(told("GET /who HTTP/1.1\r\nHost: h\r\n\r\n")).endsWith("GET from 127.0.0.1 with ''");
    }

    /** The longest name there is, and a port. */
    @Test
    void a_host_may_be_long() throws IOException {
        String host = "h".repeat(253) + ":65535";
        assertThat(told("GET /hello HTTP/1.1\r\nHost: " + host + "\r\n" + END)).endsWith("hello");
        assertThat(told("GET /hello HTTP/1.1\r\nHost: " + host + "\r\nHost: " + host + "\r\n" + END))
                .startsWith("HTTP/1.1 400 ");
    }

    /** A proxy may send what its callers say, and they say long tokens. */
    @Test
    void an_authorization_that_no_page_would_take_is_no_reason_to_turn_anybody_away() throws IOException {
        assertThat(told("GET /who HTTP/1.1\r\nHost: h\r\nAuthorization: " + "a".repeat(257) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("with ''");
        assertThat(told("GET /who HTTP/1.1\r\nHost: h\r\nAuthorization: " + "a".repeat(256) + "\r\n\r\n"))
                .endsWith("a'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/defect", "/endless"})
    void a_page_that_fails_is_a_defect_and_the_next_one_is_shown(String page) throws IOException {
        String both = told("GET " + page + " HTTP/1.1\r\nHost: h\r\n\r\n", "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(both).startsWith("HTTP/1.1 500 ").endsWith("hello");
    }

    @Test
    void a_page_that_takes_long_holds_nobody_else_up() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(told("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")).endsWith("hello");
            isLetGo.countDown();
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .endsWith("at last");
        }
    }

    @Test
    void at_the_end_who_waits_for_a_page_still_gets_it_and_who_is_idle_is_left() throws Exception {
        try (var waits = new Socket(InetAddress.getLoopbackAddress(), server.port());
                var idle = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            waits.getOutputStream().write("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
            idle.getOutputStream().write("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(idle.getInputStream().read()).isEqualTo('H');
            var closing = Thread.ofVirtual().start(server::close);
            assertThat(new String(idle.getInputStream().readAllBytes(), ISO_8859_1))
                    .endsWith("hello");
            isLetGo.countDown();
            assertThat(new String(waits.getInputStream().readAllBytes(), ISO_8859_1))
                    .contains("Connection: close")
                    .endsWith("at last");
            closing.join();
        }
    }

    /** Shows the eleven bytes that it wants to see. */
    private static final class Echo implements Page {
        @Override
        public int mostBytes() {
            return 11;
        }

        @Override
        public Reply answer(Question question) {
            return Reply.text(200, "saw '" + new String(question.body(), ISO_8859_1) + "'");
        }
    }

    /** Shows the body of one whom it knows. */
    private static final class Known implements Page {
        @Override
        public int mostBytes() {
            return 11;
        }

        @Override
        public boolean reads(Authorization authorization) {
            return authorization.said().equals("ann");
        }

        @Override
        public Reply answer(Question question) {
            return Reply.text(
                    200, "saw '" + new String(question.body(), ISO_8859_1) + "' of " + question.authorization());
        }
    }
}
