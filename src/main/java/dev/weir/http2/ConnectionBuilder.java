package dev.weir.http2;

import dev.weir.call.Gate;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.OpenBlock;
import dev.weir.http2.bound.SmallTable;
import dev.weir.http2.header.EarlyTable;
import dev.weir.http2.header.HeaderBlocks;
import dev.weir.http2.header.HeaderWriter;
import dev.weir.http2.opening.Methods;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * Builds a connection, with the bounds on what a caller can make us hold or do.
 *
 * <p>In two steps, as Netty's builder takes no reader of header blocks but a whole codec: the first makes the encoder with its
 * bounds, the second the decoder around our reader and its bounds.
 */
final class ConnectionBuilder extends AbstractHttp2ConnectionHandlerBuilder<Connection, ConnectionBuilder> {
    /** What a caller may send ahead, on a stream and on a connection. */
    static final int WINDOW_BYTES = 1 << 20;

    /**
     * Calls that one connection may have open. Their answers are what a caller who does not read them makes us hold. Fewer would
     * keep callers from sending what they ask: it would wait at their side, where the gate cannot see it (decision 23).
     */
    static final int MAX_STREAMS = 4_000;

    /**
     * Twice what an Envoy lets its user send: of that it repeats {@code tracestate} to us, and a call that is refused for it
     * would mostly let that user pass. None of it is kept once it is read.
     */
    private static final int MAX_HEADER_BYTES = 128 << 10;

    /** Of the headers of a caller's requests the same take 320 to 480 bytes of it; a trace adds a hundred with each call. */
    static final int TABLE_BYTES = 1024;

    private static final int MAX_EMPTY_FRAMES = 10;
    private static final int MAX_SMALL_CONTINUATIONS = 16;

    /**
     * Callers with short deadlines reset streams for a living: one that is 20,000 calls a second behind is in trouble, not
     * hostile. A call that is reset costs no more than one that is answered.
     */
    private static final int MAX_RESETS = 100_000;

    private static final int RESETS_SECONDS = 5;

    private final Methods methods;
    private final Budgets budgets;
    private final Gate gate;
    private final Gathering gathering;
    private final Runnable greeted;

    /**
     * Begins to build one.
     *
     * @param greeted is run when its caller has begun as HTTP/2 does
     */
    ConnectionBuilder(Methods methods, Budgets budgets, Gate gate, Gathering gathering, Runnable greeted) {
        this.methods = methods;
        this.budgets = budgets;
        this.gate = gate;
        this.gathering = gathering;
        this.greeted = greeted;
        var connection = new DefaultHttp2Connection(true);
        // Priorities are obsolete (RFC 9113, 5.3), and answers too short for turns to matter.
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        var _ = connection(connection);
        var _ = initialSettings(Http2Settings.defaultSettings()
                .headerTableSize(TABLE_BYTES)
                .maxConcurrentStreams(MAX_STREAMS)
                .initialWindowSize(WINDOW_BYTES)
                .maxHeaderListSize(MAX_HEADER_BYTES));
        var _ = encoderEnforceMaxQueuedControlFrames(0); // what is gathered counts as written: its bytes are bounded
        var _ = encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESETS_SECONDS);
        var _ = gracefulShutdownTimeoutMillis(-1); // here, as the first step has the last word on it
    }

    Connection next() {
        return build();
    }

    @Override
    protected Connection build(Http2ConnectionDecoder unused, Http2ConnectionEncoder encoder, Http2Settings settings) {
        unused.close();
        return new Reading(new HeaderWriter(new SmallTable(encoder)), settings).next();
    }

    /** Makes what reads a connection, and the connection. */
    private final class Reading extends AbstractHttp2ConnectionHandlerBuilder<Connection, Reading> {
        private final EarlyTable table = new EarlyTable(budgets.tables());
        private final HeaderBlocks blocks = new HeaderBlocks(MAX_HEADER_BYTES, table);
        private final HeaderWriter encoder;

        Reading(HeaderWriter encoder, Http2Settings settings) {
            this.encoder = encoder;
            var reader = new DefaultHttp2FrameReader(blocks, MAX_SMALL_CONTINUATIONS);
            var decoder = new DefaultHttp2ConnectionDecoder(
                    encoder.connection(),
                    encoder,
                    reader,
                    Http2PromisedRequestVerifier.ALWAYS_VERIFY, // callers promise nothing
                    /* autoAckSettings= */ true,
                    /* autoAckPing= */ true,
                    /* validateHeaders= */ true,
                    /* validateRequiredPseudoHeaders= */ true);
            var _ = initialSettings(settings);
            var _ = decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESETS_SECONDS);
            var _ = decoderEnforceMaxConsecutiveEmptyDataFrames(MAX_EMPTY_FRAMES);
            var _ = codec(decoder, encoder);
        }

        Connection next() {
            return build();
        }

        @Override
        protected Connection build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder same, Http2Settings settings) {
            return new Connection(
                    new Frames(decoder, methods.refusals(), new OpenBlock(budgets.unfinished()), greeted),
                    encoder,
                    settings,
                    blocks,
                    table,
                    methods,
                    budgets,
                    gate,
                    gathering);
        }
    }
}
