package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.weir.logging.HeardLog;
import dev.weir.metrics.statsd.StatsdOptions;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot be told by UDP, and what else is told then. */
final class StatsdTooLongTest {
    private static final String HITS = "ratelimit.service.rate_limit.shop.user.total_hits:";
    private static final int OTHERS = 40;
    private static final int PATIENCE_MILLIS = 20_000;

    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));
    private final Series user = statistics.series().configured("shop.user");

    @RegisterExtension
    private final HeardLog log = HeardLog.of("weir");

    @Test
    void a_line_that_fits_into_no_packet_is_left_out_and_makes_no_other_be_told_twice_or_never() throws IOException {
        for (int i = 0; i < OTHERS; i++) {
            statistics.series().configured("shop.user_" + i).add(Stat.TOTAL_HITS, 1);
        }
        var tooLong = statistics.series().configured("shop.user_" + "x".repeat(70_000));
        try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            var options = new StatsdOptions(
                    "127.0.0.1",
                    socket.getLocalPort(),
                    true,
                    false,
                    Map.of(),
                    Map.of(),
                    List.of(),
                    Duration.ofMillis(100));
            try (var _ = Statsd.start(options, statistics, false)) {
                Set<String> told = new HashSet<>();
                for (int round = 1; round <= 3; round++) { // each is told in a flush of its own
                    tooLong.add(Stat.TOTAL_HITS, 1);
                    user.add(Stat.TOTAL_HITS, 1);
                    int hits = 0;
                    while (hits < 1 || told.size() < OTHERS) {
                        for (String line : packet(socket)) {
                            if (line.startsWith(HITS)) {
                                assertThat(line).isEqualTo(HITS + "1|c");
                                hits++;
                            } else {
                                assertThat(told.add(line)).as(line).isTrue();
                            }
                        }
                    }
                    assertThat(hits).isEqualTo(1);
                }
            }
        }
        assertThat(log.lines())
                .singleElement(STRING)
                .contains("is not told what is too long for a datagram of UDP, here 70")
                .doesNotContain("shop.user");
    }

    private static List<String> packet(DatagramSocket socket) throws IOException {
        var packet = new DatagramPacket(new byte[2_000], 2_000);
        do {
            packet.setLength(2_000);
            socket.receive(packet);
        } while (packet.getLength() == 1); // an empty line
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
