package dev.weir.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** One run of a Redis, from its start to its end: a process of this machine or a container. */
sealed interface RedisRun extends AutoCloseable {

    /** Starts Redis on {@code port}; it does not answer yet when this returns. */
    static RedisRun start(RedisVersion version, int port, Path folder, List<String> arguments) {
        return switch (version) {
            case RedisVersion.Executable executable -> InProcess.start(executable, port, folder, arguments);
            case RedisVersion.Image image -> InContainer.start(image, port, arguments);
        };
    }

    /** Returns the host at which this machine reaches it. */
    String host();

    /** Waits until {@code condition} holds; fails with Redis's output if it ends before. */
    void awaitReady(String what, BooleanSupplier condition);

    /** Holds it still: connections stay open, nothing is answered. */
    void pause();

    /** Lets a paused one go on. */
    void resume();

    /** Returns what it printed so far. */
    String output();

    /** Ends it at once, also a paused one, and waits until it is gone. */
    @Override
    void close();

    /** A process, run in the folder of its server. */
    record InProcess(Child child) implements RedisRun {

        static InProcess start(RedisVersion.Executable version, int port, Path folder, List<String> arguments) {
            var command = new ArrayList<>(List.of(version.path().toString(), "--port", Integer.toString(port)));
            command.addAll(List.of("--bind", "127.0.0.1", "--dir", folder.toString()));
            command.addAll(arguments);
            return new InProcess(Child.start("redis", folder, null, command));
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public void awaitReady(String what, BooleanSupplier condition) {
            child.awaitReady(what, Eventually.DEADLINE, condition);
        }

        @Override
        public void pause() {
            child.pause();
        }

        @Override
        public void resume() {
            child.resume();
        }

        @Override
        public String output() {
            return child.output();
        }

        @Override
        public void close() {
            child.close();
        }
    }

    /** A container, which Redis's own port is published from unchanged, so that a cluster node announces the truth. */
    record InContainer(GenericContainer<?> container) implements RedisRun {

        @SuppressWarnings("resource") // the record is what closes it
        static InContainer start(RedisVersion.Image version, int port, List<String> arguments) {
            var command = new ArrayList<>(List.of("redis-server", "--port", Integer.toString(port)));
            command.addAll(arguments);
            var container = new GenericContainer<>(DockerImageName.parse(version.name()))
                    .withCommand(command.toArray(String[]::new))
                    .withExposedPorts(port);
            container.setPortBindings(List.of(port + ":" + port));
            container.start();
            return new InContainer(container);
        }

        @Override
        public String host() {
            return container.getHost();
        }

        @Override
        public void awaitReady(String what, BooleanSupplier condition) {
            Eventually.await(what, condition);
        }

        @Override
        public void pause() {
            DockerClientFactory.lazyClient()
                    .pauseContainerCmd(container.getContainerId())
                    .exec();
        }

        @Override
        public void resume() {
            DockerClientFactory.lazyClient()
                    .unpauseContainerCmd(container.getContainerId())
                    .exec();
        }

        @Override
        public String output() {
            return container.getLogs();
        }

        @Override
        public void close() {
            container.stop();
        }
    }
}
