package dev.weir.http;

/**
 * Where to listen.
 *
 * @param host a name or an address; {@code 0.0.0.0} and {@code ::} are every one
 * @param port 0 for any free one, to 65535
 */
public record Address(String host, int port) {

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
