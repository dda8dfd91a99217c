package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.Shelf.Standing;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds for a shelf, wherever it is. Each test has an empty one. */
public interface ShelfContract {

    Shelf shelf();

    @Test
    default void nothing_stands_on_an_empty_shelf() {
        assertThat(got(shelf().stamp())).isEmpty();
        assertThat(got(shelf().read())).isEqualTo(Standing.NOTHING);
    }

    @Test
    default void what_was_put_stands_there_until_something_else_does() {
        var first = new Standing("1", "ä\n\u0000{}");
        assertThat(got(shelf().replace("", first))).isTrue();
        assertThat(got(shelf().stamp())).isEqualTo("1");
        assertThat(got(shelf().read())).isEqualTo(first);
        var second = new Standing("2", "");
        assertThat(got(shelf().replace("1", second))).isTrue();
        assertThat(got(shelf().read())).isEqualTo(second);
    }

    @Test
    default void what_is_made_from_something_older_is_not_put() {
        var first = new Standing("1", "a");
        assertThat(got(shelf().replace("0", first))).as("nothing stands there").isFalse();
        assertThat(got(shelf().replace("", first))).isTrue();
        assertThat(got(shelf().replace("", new Standing("2", "b")))).isFalse();
        assertThat(got(shelf().replace("2", new Standing("2", "b")))).isFalse();
        assertThat(got(shelf().read())).isEqualTo(first);
    }

    @Test
    default void of_many_who_put_at_once_each_number_has_one() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            var tasks = IntStream.range(0, 8)
                    .mapToObj(thread -> threads.submit(() -> putTen(thread)))
                    .toList();
            for (Future<?> task : tasks) {
                task.get();
            }
        }
        assertThat(got(shelf().stamp())).isEqualTo("80");
    }

    private void putTen(int thread) {
        for (int i = 0; i < 10; ) {
            String stamp = got(shelf().stamp());
            int next = stamp.isEmpty() ? 1 : Integer.parseInt(stamp) + 1;
            i += got(shelf().replace(stamp, new Standing(Integer.toString(next), "by " + thread))) ? 1 : 0;
        }
    }

    private static <T> T got(CompletionStage<T> answer) {
        return answer.toCompletableFuture().join();
    }
}
