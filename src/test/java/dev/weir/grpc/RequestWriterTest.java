package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.decide.Bounds;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestWriterTest {
    private static final List<Entry> ANN = List.of(new Entry("user", "ann"), new Entry("path", ""));

    @Test
    void all_that_a_request_says_is_read_again() {
        var request = new Request(
                "shop",
                List.of(
                        new Descriptor(ANN, null, Descriptor.UNSET_HITS, false),
                        new Descriptor(ANN, Quota.per(Unit.WEEK, Quota.MAX_HITS), 0, false),
                        new Descriptor(ANN, Quota.per(Unit.SECOND, 0), 5, true)),
                Quota.MAX_HITS);
        byte[] bytes = RequestWriter.bytes(request);
        assertThat(RequestReader.read(bytes, new Bounds(3, 2, 10))).isEqualTo(request);
        assertThat(GeneratedRequests.read(bytes)).isEqualTo(request);
    }

    @Test
    void a_limit_whose_window_is_no_unit_cannot_be_sent_along() {
        var ownWindow = new Descriptor(ANN, new Quota(5, 300), 1, false);
        assertThatThrownBy(() -> RequestWriter.bytes(Request.of("shop", ownWindow)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("300 s");
    }
}
