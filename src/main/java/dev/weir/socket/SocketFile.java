package dev.weir.socket;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The file of a Unix socket: one that a process which was killed has left behind must not keep the next one out. */
public final class SocketFile {
    private static final int KIND = 0xF000;
    private static final int SOCKET = 0xC000;

    private SocketFile() {}

    /**
     * Makes room for a socket: removes the file of one that nobody listens on.
     *
     * @throws IOException if something else is there, or somebody listens; the message is for the operator
     */
    public static void makeRoom(UnixDomainSocketAddress address) throws IOException {
        Path path = address.getPath();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        // Java's own attributes tell a socket from files and folders, but not from pipes and devices.
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & KIND) != SOCKET) {
            throw new IOException("there is something else than a socket: " + path);
        }
        try (var other = SocketChannel.open(address)) {
            throw new IOException("another process listens there already: " + other.getRemoteAddress());
        } catch (ConnectException _) {
            Files.delete(path); // refused: whoever made it is gone
        }
    }
}
