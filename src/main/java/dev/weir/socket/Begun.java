package dev.weir.socket;

import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a caller has begun to send and not finished: a frame, a block of headers, a record of TLS. Its beginning waits in the
 * buffer that it was read into, which may be a thousand times as large, and would stay so for as long as the connection lives.
 *
 * <p>Somebody looks every five seconds. A look makes the buffer as small as what is in it; the third in a row that finds the same
 * thing unfinished says so. The one bounds what callers hold who always begin another, the other for how long it is held.
 *
 * <p>Belongs to the thread of the connection.
 */
public final class Begun {
    private static final Logger LOG = LoggerFactory.getLogger(Begun.class);
    private static final int MOST_LOOKS = 3;

    private int looks;

    /** Creates the account of a caller who has begun nothing. */
    public Begun() {}

    /** Something was finished. */
    public void finished() {
        looks = 0;
    }

    /**
     * Looks, and returns whether what is begun was left for too long.
     *
     * @param rest what has come of it
     * @param isOpen whether it is begun all the same if that is nothing
     * @param isRead whether we let the caller go on
     */
    public boolean isLeft(ByteBuf rest, boolean isOpen, boolean isRead) {
        if (rest.isReadable() && rest.refCnt() == 1) {
            shrink(rest);
        }
        if (!isRead || !(isOpen || rest.isReadable())) {
            looks = 0;
            return false;
        }
        looks++;
        return looks >= MOST_LOOKS;
    }

    private static void shrink(ByteBuf rest) {
        try {
            var _ = rest.discardReadBytes().capacity(rest.readableBytes());
        } catch (OutOfMemoryError e) { // of buffers, for the small one: it stays as it is until the next look
            LOG.debug("what is begun keeps its large buffer", e);
        }
    }
}
