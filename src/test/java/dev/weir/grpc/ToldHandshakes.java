package dev.weir.grpc;

import dev.weir.handshake.HandshakeFailure;
import dev.weir.handshake.HandshakeListener;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what it is told of handshakes. */
final class ToldHandshakes implements HandshakeListener {
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<String> kept = new CopyOnWriteArrayList<>();
    private final AtomicInteger renewed = new AtomicInteger();

    @Override
    public void refused(String caller, HandshakeFailure why) {
        refused.add(why.kind() + ": " + why.words());
    }

    @Override
    public void renewed() {
        renewed.incrementAndGet();
    }

    @Override
    public void kept(Path file, String reason) {
        kept.add(file.getFileName() + ": " + reason);
    }

    List<String> refused() {
        return refused;
    }

    List<String> kept() {
        return kept;
    }

    int renewals() {
        return renewed.get();
    }
}
