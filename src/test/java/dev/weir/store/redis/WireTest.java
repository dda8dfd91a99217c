package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.Merged;
import dev.weir.store.StoreContract;
import dev.weir.store.UnaskedReceiver;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many bytes a batch takes on its way to the script, which tells two kinds of batch apart by that. */
final class WireTest {
    private static final int PLAIN = 8 + 8;

    /** The sizes in the format that batch.lua reads: {@code >BBBBBI8I8I8I8I4I8I8I2I2B}. */
    private static final int FULL = 5 + 8 + 8 + 8 + 8 + 4 + 8 + 8 + 2 + 2 + 1;

    private static final int KIND = 1;
    private static final Limit ALWAYS = StoreContract.TEN_A_MINUTE;
    private static final Limit ON_ADMIT = limit(Charge.ON_ADMIT, 0);
    private static final Limit LOCKING = limit(Charge.ALWAYS, 60);

    private final HashTags tags = new HashTags("", 16);

    @Test
    void plain_checks_alone_are_sent_without_their_kind() {
        assertThat(Wire.pack(batch(ALWAYS, ALWAYS, ALWAYS))).hasSize(3 * PLAIN);
    }

    @Test
    void no_byte_is_sent_that_the_script_does_not_read() {
        assertThat(Wire.pack(batch(ON_ADMIT))).hasSize(KIND + FULL);
        assertThat(Wire.pack(batch(LOCKING, ALWAYS, ON_ADMIT))).hasSize(KIND + FULL + KIND + PLAIN + KIND + FULL);
    }

    /** A full check takes more room than plain ones of as many keys, its lock's too. */
    @Test
    void a_batch_with_other_checks_is_longer_than_one_of_plain_checks_with_as_many_keys() {
        for (var checks : List.of(batch(ON_ADMIT), batch(LOCKING), batch(LOCKING, ALWAYS), batch(ALWAYS, ON_ADMIT))) {
            assertThat(Wire.pack(checks).length)
                    .isGreaterThan(PLAIN * Wire.keys(checks, tags).size());
        }
    }

    @Test
    void of_counters_that_are_looked_up_the_reply_says_which_could_not_be_used() {
        byte[] reply = ByteBuffer.allocate(4 * Long.BYTES + 5)
                .putLong(1) // the instant
                .putLong(7)
                .putLong(-1)
                .putLong(0)
                .putShort((short) 3)
                .put(new byte[] {'O', 'O', 'M'})
                .array();
        assertThat(IntStream.range(0, 3).filter(i -> Wire.isSeen(reply, i))).containsExactly(0, 2);
    }

    private static Limit limit(Charge charge, long blockSeconds) {
        return new Limit(ALWAYS.quota(), ALWAYS.algorithm(), charge, blockSeconds);
    }

    /** Returns a check of one hit for each limit, each on a counter of its own. */
    private static List<Merged> batch(Limit... limits) {
        var batch = new Batch();
        for (int i = 0; i < limits.length; i++) {
            batch.add(Check.of(StoreContract.key("counter" + i), limits[i], 1), new UnaskedReceiver(() -> false), 0);
        }
        return batch.checks();
    }
}
