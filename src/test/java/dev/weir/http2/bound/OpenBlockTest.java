package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.message.Budget;
import org.junit.jupiter.api.Test;

final class OpenBlockTest {
    private static final int ALL = 100_000;

    private final Budget ofAll = new Budget(ALL);
    private final OpenBlock block = new OpenBlock(ofAll);

    @Test
    void a_few_bytes_may_always_be_begun() {
        assertThat(ofAll.mayTake(ALL)).isTrue();
        assertThat(block.take(OpenBlock.ALWAYS)).isTrue();
        assertThat(block.take(1)).isFalse();
    }

    @Test
    void more_comes_out_of_the_budget_and_goes_back_when_the_block_has_ended() {
        assertThat(block.take(60_000)).isTrue();
        assertThat(block.take(60_000)).as("beyond the budget").isFalse();
        assertThat(block.take(50_000)).isTrue();
        assertThat(ofAll.mayTake(OpenBlock.ALWAYS + 1)).isFalse();
        block.end();
        block.end();
        assertThat(ofAll.mayTake(ALL)).isTrue();
        assertThat(ofAll.mayTake(1)).as("given back once").isFalse();
    }
}
