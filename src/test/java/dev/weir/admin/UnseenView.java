package dev.weir.admin;

import dev.weir.live.Figures;
import dev.weir.live.LiveView;
import dev.weir.meter.Spread;
import java.util.List;
import java.util.Map;

/** A view of a service that has counted nothing yet. */
final class UnseenView {
    private static final Figures NOTHING = new Figures(
            Map.of("ok", 0L),
            new Spread(List.of(), List.of(0L)),
            new Spread(List.of(), List.of(0L)),
            0,
            0,
            List.of(),
            new Figures.State(false, 0, 0, 0, 0, false));

    private UnseenView() {}

    static LiveView view() {
        return new LiveView("1.2.3", List::of, () -> NOTHING, () -> 0);
    }
}
