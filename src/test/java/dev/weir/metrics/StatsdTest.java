package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.weir.metrics.statsd.Mogrifier;
import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.testing.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A server of statsd is told what was counted; the sockets are real ones. */
final class StatsdTest {
    private static final String HITS = "ratelimit.service.rate_limit.shop.user.total_hits";
    private static final int PATIENCE_MILLIS = 20_000;

    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));
    private final Series user = statistics.series().configured("shop.user");

    @Test
    void a_counter_is_told_by_what_it_grew() throws IOException {
        try (var server = listen()) {
            user.add(Stat.TOTAL_HITS, 5);
            try (var _ = start(server.getLocalPort(), false, false, Map.of(), List.of());
                    var reader = accept(server)) {
                assertThat(reader.readLine()).isEqualTo(HITS + ":5|c");
                user.add(Stat.TOTAL_HITS, 2);
                assertThat(reader.readLine()).isEqualTo(HITS + ":2|c");
            }
        }
    }

    @Test
    void tags_are_part_of_the_name() throws IOException {
        try (var server = listen()) {
            user.add(Stat.TOTAL_HITS, 5);
            try (var _ = start(server.getLocalPort(), false, false, Map.of("zone", "a.1", "app", "x"), List.of());
                    var reader = accept(server)) {
                assertThat(reader.readLine()).isEqualTo(HITS + ".__app=x.__zone=a_1:5|c");
            }
        }
    }

    @Test
    void times_are_told_one_by_one() throws IOException {
        try (var server = listen()) {
            try (var _ = start(server.getLocalPort(), false, false, Map.of(), List.of());
                    var reader = accept(server, () -> {
                        statistics.answered(Rpc.SHOULD_RATE_LIMIT, 3_900_000);
                    })) {
                assertThat(List.of(reader.readLine(), reader.readLine()))
                        .containsExactlyInAnyOrder( // somebody may be told in the midst of it
                                "ratelimit_server.ShouldRateLimit.total_requests:1|c",
                                "ratelimit_server.ShouldRateLimit.response_time:3|ms");
            }
        }
    }

    @Test
    void a_small_share_of_the_times_is_told_in_digits() throws IOException {
        try (var server = listen()) {
            for (int i = 0; i < 1_000_000; i++) {
                statistics.answered(Rpc.SHOULD_RATE_LIMIT, 3_900_000);
            }
            var options = options(server.getLocalPort(), false, false, Map.of(), List.of(), Duration.ofHours(1));
            var statsd = Statsd.start(options, statistics, false);
            statistics.answered(Rpc.SHOULD_RATE_LIMIT, 3_900_000);
            statsd.close();
            try (var reader = accept(server)) {
                assertThat(List.of(reader.readLine(), reader.readLine()))
                        .containsExactly(
                                "ratelimit_server.ShouldRateLimit.total_requests:1000001|c",
                                "ratelimit_server.ShouldRateLimit.response_time:3|ms|@0.000000999999");
            }
        }
    }

    @Test
    void tens_of_thousands_of_counters_are_told_once_each() throws IOException {
        for (int i = 0; i < 20_000; i++) {
            statistics.series().configured("shop.user_" + i).add(Stat.TOTAL_HITS, 1);
        }
        try (var server = listen();
                var _ = start(server.getLocalPort(), false, false, Map.of(), List.of());
                var reader = accept(server)) {
            Set<String> names = new HashSet<>();
            for (int i = 0; i < 20_000; i++) {
                assertThat(names.add(reader.readLine())).isTrue();
            }
            user.add(Stat.TOTAL_HITS, 7);
            assertThat(reader.readLine()).isEqualTo(HITS + ":7|c");
        }
    }

    @Test
    void a_server_that_takes_the_place_of_another_is_told_all_that_was_counted_meanwhile() throws IOException {
        try (var server = listen()) {
            user.add(Stat.TOTAL_HITS, 1);
            try (var _ = start(server.getLocalPort(), false, false, Map.of(), List.of())) {
                try (var first = accept(server)) {
                    assertThat(first.readLine()).isEqualTo(HITS + ":1|c");
                }
                user.add(Stat.TOTAL_HITS, 1_000);
                try (var next = accept(server)) {
                    assertThat(next.readLine()).isEqualTo(HITS + ":1000|c");
                }
            }
        }
    }

    @Test
    void each_of_two_servers_is_told_every_time() throws IOException {
        try (var server = listen();
                var other = listen();
                var _ = start(server.getLocalPort(), false, false, Map.of(), List.of());
                var _ = start(other.getLocalPort(), false, true, Map.of(), List.of())) {
            statistics.answered(Rpc.SHOULD_RATE_LIMIT, 3_900_000);
            for (var told : List.of(server, other)) {
                try (var reader = accept(told)) {
                    assertThat(List.of(reader.readLine(), reader.readLine()))
                            .containsExactlyInAnyOrder(
                                    "ratelimit_server.ShouldRateLimit.total_requests:1|c",
                                    "ratelimit_server.ShouldRateLimit.response_time:3|ms");
                }
            }
        }
    }

    @Test
    void what_could_not_be_told_is_told_when_somebody_listens() throws IOException {
        int port = FreePorts.find();
        user.add(Stat.TOTAL_HITS, 5);
        var statsd = start(port, false, false, Map.of(), List.of());
        try (var server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            user.add(Stat.TOTAL_HITS, 1);
            try (var reader = accept(server)) {
                int told = 0;
                while (told < 6) {
                    String line = reader.readLine();
                    assertThat(line).startsWith(HITS + ":").endsWith("|c");
                    told += Integer.parseInt(line.substring(HITS.length() + 1, line.length() - 2));
                }
                assertThat(told).isEqualTo(6);
            }
        } finally {
            statsd.close();
        }
    }

    @Test
    void dogstatsd_has_tags_behind_the_value_and_names_as_the_operator_wants_them() throws IOException {
        var mogrifier = new Mogrifier(
                Pattern.compile("^ratelimit\\.service\\.rate_limit\\.(.*)\\.(.*)\\.(.*)$"),
                "ratelimit.$3",
                Map.of("domain", "$1", "descriptor", "$2"));
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            user.add(Stat.TOTAL_HITS, 5);
            statistics.rulesLoaded(1, 1, 1);
            try (var _ = start(socket.getLocalPort(), true, true, Map.of("zone", "a"), List.of(mogrifier))) {
                assertThat(packet(socket))
                        .containsExactlyInAnyOrder(
                                "ratelimit.total_hits:5|c|#zone:a,descriptor:user,domain:shop",
                                "ratelimit.service.config_load_success:1|c|#zone:a");
            }
        }
    }

    @Test
    void a_long_name_of_a_caller_costs_no_more_with_a_pattern_that_could_be_tried_in_many_ways() throws IOException {
        var mogrifier = new Mogrifier(Pattern.compile("^([a-z_]+)+$"), "all", Map.of());
        String name = SeriesName.ofOverride("shop", Descriptor.of(new Entry("user", "a".repeat(200))));
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            statistics.series().made("shop", name).add(Stat.TOTAL_HITS, 5);
            try (var _ = start(socket.getLocalPort(), true, true, Map.of(), List.of(mogrifier))) {
                assertThat(packet(socket)).containsExactly("ratelimit.service.rate_limit." + name + ".total_hits:5|c");
            }
        }
    }

    @Test
    void what_a_caller_says_makes_no_line_and_no_tag_of_its_own() throws IOException {
        var mogrifier = new Mogrifier(
                Pattern.compile("^ratelimit\\.service\\.rate_limit\\.(.*)\\.(.*)\\.(.*)$", Pattern.DOTALL),
                "ratelimit.$3",
                Map.of("descriptor", "$2"));
        String name = SeriesName.ofOverride(
                "shop", Descriptor.of(new Entry("user", "a:9|c|#zone:b\nforged:1|c\r,zone:c@1\u0000")));
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            statistics.series().made("shop", name).add(Stat.TOTAL_HITS, 5);
            try (var _ = start(socket.getLocalPort(), true, true, Map.of(), List.of(mogrifier))) {
                assertThat(packet(socket))
                        .containsExactly(
                                "ratelimit.total_hits:5|c|#descriptor:user_a_9_c_#zone_b_forged_1_c__zone_c@1_");
            }
        }
    }

    @Test
    void a_packet_has_whole_lines_and_fits_into_a_network() throws IOException {
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            for (int i = 0; i < 60; i++) {
                statistics.series().configured("shop.user_" + i).add(Stat.TOTAL_HITS, 1);
            }
            try (var _ = start(socket.getLocalPort(), true, false, Map.of(), List.of())) {
                List<String> lines = new ArrayList<>();
                while (lines.size() < 60) {
                    lines.addAll(packet(socket));
                }
                assertThat(lines)
                        .hasSize(60)
                        .doesNotHaveDuplicates()
                        .allMatch(line -> line.endsWith(".total_hits:1|c"));
            }
        }
    }

    @Test
    void a_heap_that_is_full_for_a_moment_ends_nothing() throws IOException {
        var isFull = new AtomicBoolean(true);
        List<Mogrifier> mogrifiers = new AbstractList<>() {
            @Override
            public int size() {
                if (isFull.getAndSet(false)) {
                    throw new OutOfMemoryError("Java heap space");
                }
                return 0;
            }

            @Override
            public Mogrifier get(int place) {
                throw new IndexOutOfBoundsException(place);
            }
        };
        user.add(Stat.TOTAL_HITS, 5);
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try (var _ = start(socket.getLocalPort(), true, true, Map.of(), mogrifiers)) {
                assertThat(packet(socket)).containsExactly(HITS + ":5|c");
                assertThat(isFull).isFalse();
            }
        }
    }

    @Test
    void closing_tells_the_rest() throws IOException {
        try (var server = listen()) {
            var options = options(server.getLocalPort(), false, false, Map.of(), List.of(), Duration.ofHours(1));
            var statsd = Statsd.start(options, statistics, false);
            user.add(Stat.TOTAL_HITS, 5);
            statsd.close();
            try (var reader = accept(server)) {
                assertThat(reader.readLine()).isEqualTo(HITS + ":5|c");
                assertThat(reader.readLine()).isNull();
            }
        }
    }

    private Statsd start(int port, boolean isUdp, boolean isDog, Map<String, String> tags, List<Mogrifier> mogrifiers) {
        return Statsd.start(options(port, isUdp, isDog, tags, mogrifiers, Duration.ofMillis(100)), statistics, false);
    }

    private static StatsdOptions options(
            int port,
            boolean isUdp,
            boolean isDog,
            Map<String, String> tags,
            List<Mogrifier> mogrifiers,
            Duration flush) {
        return new StatsdOptions("127.0.0.1", port, isUdp, isDog, Map.of(), tags, mogrifiers, flush);
    }

    private static ServerSocket listen() throws IOException {
        var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MILLIS);
        return server;
    }

    /** The connection is made when there is something to tell. */
    private static BufferedReader accept(ServerSocket server, Runnable before) throws IOException {
        before.run();
        return accept(server);
    }

    private static BufferedReader accept(ServerSocket server) throws IOException {
        Socket accepted = server.accept();
        accepted.setSoTimeout(PATIENCE_MILLIS);
        return new BufferedReader(new InputStreamReader(accepted.getInputStream(), StandardCharsets.UTF_8));
    }

    private static List<String> packet(DatagramSocket socket) throws IOException {
        var packet = new DatagramPacket(new byte[2_000], 2_000);
        do {
            packet.setLength(2_000);
            socket.receive(packet);
        } while (packet.getLength() == 1); // an empty line
        assertThat(packet.getLength()).isLessThanOrEqualTo(1_432);
        String text = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
        assertThat(text).endsWith("\n");
        return text.lines().toList();
    }
}
