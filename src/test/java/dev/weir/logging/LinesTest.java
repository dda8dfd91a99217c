package dev.weir.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever reads may stand still; whoever writes does not wait. */
@Timeout(60)
final class LinesTest {
    private static final Duration FOR_GOOD = Duration.ofSeconds(50);

    private final StandingReader reader = new StandingReader();
    private final Lines lines = new Lines(() -> reader);

    @Test
    void lines_keep_their_order_and_none_is_lost() {
        reader.goOn();
        var said = IntStream.range(0, 5_000).mapToObj(i -> "line " + i).toList();
        said.forEach(this::say);
        assertThat(read()).isEqualTo(said);
    }

    @Test
    void nobody_waits_for_a_reader_that_stands_still_and_a_line_says_what_was_lost() {
        say("first");
        reader.awaitWrite(); // what comes now waits
        List<String> expected = new ArrayList<>(List.of("first"));
        String kilobyte = "x".repeat(1_000);
        for (int bytes = 0; bytes < Lines.ROOM_BYTES; bytes += 1_000 + 32 + 1) {
            say(kilobyte);
            expected.add(kilobyte);
        }
        say("lost");
        say("lost, too");
        reader.goOn();
        expected.add("2 lost");
        assertThat(read()).isEqualTo(expected);
        say("next");
        expected.add("next");
        assertThat(read()).as("said once").isEqualTo(expected);
    }

    @Test
    void a_line_longer_than_the_room_for_all_is_written() {
        reader.goOn();
        String line = "x".repeat(3 * Lines.ROOM_BYTES);
        say(line);
        assertThat(read()).containsExactly(line);
    }

    @Test
    void whoever_cannot_write_goes_on_with_what_comes_next_and_says_what_was_lost() {
        reader.goOn();
        reader.isFailing = true;
        say("first");
        reader.awaitWrite();
        say("second");
        lines.awaitWritten(FOR_GOOD);
        reader.isFailing = false;
        say("third");
        assertThat(read()).containsExactly("2 lost", "third");
    }

    /** A disk that becomes full takes the beginning of a line. */
    @Test
    void what_a_full_disk_did_not_take_is_missed_on_a_line_of_its_own() {
        reader.goOn();
        reader.room = 3;
        say("first");
        say("second");
        lines.awaitWritten(FOR_GOOD);
        say("third");
        lines.awaitWritten(FOR_GOOD);
        reader.room = Integer.MAX_VALUE;
        say("fourth");
        assertThat(read()).containsExactly("fir", "3 lost", "fourth");
    }

    @Test
    void an_end_does_not_wait_for_a_reader_that_stands_still() {
        say("first");
        reader.awaitWrite();
        lines.awaitWritten(Duration.ofMillis(1));
        assertThat(reader.taken()).isEmpty();
    }

    private void say(String line) {
        lines.add(bytes(line), LinesTest::notice);
    }

    private List<String> read() {
        lines.awaitWritten(FOR_GOOD);
        return reader.taken().lines().toList();
    }

    private static byte[] notice(long lost) {
        return bytes(lost + " lost");
    }

    private static byte[] bytes(String line) {
        return (line + '\n').getBytes(UTF_8);
    }

    /** A pipe that takes nothing until its reader goes on. */
    private static final class StandingReader extends OutputStream {
        private final CountDownLatch isWritten = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        volatile boolean isFailing;
        volatile int room = Integer.MAX_VALUE;

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] octets, int from, int length) throws IOException {
            isWritten.countDown();
            await(goesOn);
            if (isFailing) {
                throw new OutOfMemoryError("Java heap space");
            }
            taken.write(octets, from, Math.min(room, length));
            if (length > room) {
                room = 0;
                throw new IOException("No space left on device");
            }
        }

        void awaitWrite() {
            await(isWritten);
        }

        void goOn() {
            goesOn.countDown();
        }

        String taken() {
            return taken.toString(UTF_8);
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
