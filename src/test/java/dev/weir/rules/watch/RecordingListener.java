package dev.weir.rules.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what it is told, one line for each attempt. */
final class RecordingListener implements RulesListener {
    private final List<String> told = new CopyOnWriteArrayList<>();

    List<String> told() {
        return told;
    }

    @Override
    public void loaded(Loaded loaded) {
        told.addAll(loaded.remarks());
        told.add("loaded version %d: %s, %d domains, %d rules"
                .formatted(loaded.version(), loaded.origin(), loaded.domains(), loaded.rules()));
    }

    @Override
    public void failed(Failed failed) {
        told.add("failed, version %d stays: %s".formatted(failed.versionInForce(), failed.mistakes()));
    }

    @Override
    public void passedOver(String reason) {
        told.add("passed over " + reason);
    }
}
