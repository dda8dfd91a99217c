package dev.weir.testing;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/** An authority of the tests and the certificates that it signs, as PEM files in a folder that goes with it. */
public final class SignedFiles implements AutoCloseable {
    /** In PKCS #8, the envelope around an RSA key of 2048 bits: lengths, version and algorithm. */
    private static final int RSA_ENVELOPE = 26;

    private final ScratchFolder folder;
    private final X509Bundle authority;

    private SignedFiles(Duration validity) {
        folder = ScratchFolder.create("certificates");
        var now = Instant.now();
        authority = made(() -> new CertificateBuilder()
                .algorithm(Algorithm.ecp256)
                .subject("CN=Authority of the tests")
                .notBefore(now.minus(Duration.ofDays(1)))
                .notAfter(now.plus(validity))
                .setIsCertificateAuthority(true)
                .buildSelfSigned());
        write("authority.pem", authority.getCertificatePEM());
    }

    /**
     * A certificate with its key.
     *
     * @param certificate its file
     * @param key its file, in PKCS#8 form
     */
    public record Pair(Path certificate, Path key) {}

    /** Creates an authority that has signed nothing yet. */
    public static SignedFiles create() {
        return create(Duration.ofDays(1));
    }

    /** Creates an authority that is valid for so long from now; less than nothing, and it has expired. */
    public static SignedFiles create(Duration validity) {
        return new SignedFiles(validity);
    }

    /** Returns the file of the authority's own certificate. */
    public Path authority() {
        return file("authority.pem");
    }

    /** Signs a certificate for a host, a name or 127.0.0.1, that is valid now. */
    public Pair sign(String name, String host) {
        return sign(name, host, Algorithm.ecp256);
    }

    /** Signs a certificate whose key is of a certain kind. */
    public Pair sign(String name, String host, Algorithm algorithm) {
        return sign(name, host, algorithm, Duration.ofDays(1));
    }

    /** Signs a certificate that is valid for so long from now. */
    public Pair sign(String name, String host, Duration validity) {
        return sign(name, host, Algorithm.ecp256, validity);
    }

    private Pair sign(String name, String host, Algorithm algorithm, Duration validity) {
        var now = Instant.now();
        return sign(name, host, algorithm, now.minus(Duration.ofDays(1)), now.plus(validity));
    }

    /** Signs a certificate that has expired. */
    public Pair signExpired(String name, String host) {
        var now = Instant.now();
        return sign(name, host, Algorithm.ecp256, now.minus(Duration.ofDays(2)), now.minus(Duration.ofDays(1)));
    }

    /** Signs a certificate that is not valid yet. */
    public Pair signEarly(String name, String host) {
        var now = Instant.now();
        return sign(name, host, Algorithm.ecp256, now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(2)));
    }

    /** Signs a certificate whose key is of RSA and too short for a handshake. */
    public Pair signWeak(String name, String host) {
        return signed(
                name,
                host,
                new CertificateBuilder().algorithm(Algorithm.rsa2048).keyPair(weakKeys()));
    }

    private static KeyPair weakKeys() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(512);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has RSA", e);
        }
    }

    /** Signs a certificate whose key is in the older form of RSA, PKCS #1, as Go writes it. */
    public Pair signOlder(String name, String host) {
        var pair = sign(name, host, Algorithm.rsa2048);
        byte[] key = Base64.getMimeDecoder().decode(textOf(pair.key()).replaceAll("-----[A-Z ]+-----", ""));
        byte[] inner = Arrays.copyOfRange(key, RSA_ENVELOPE, key.length);
        return new Pair(pair.certificate(), write(name + ".older.key", pem("RSA PRIVATE KEY", inner)));
    }

    /** Returns a block of a PEM file. */
    public static String pem(String label, byte[] bytes) {
        String body = Base64.getMimeEncoder().encodeToString(bytes);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
    }

    /** Returns the path of a file of this name beside the certificates, whether there is one or not. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Writes a file beside the certificates. */
    public Path write(String name, String text) {
        try {
            return Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a caller over TLS needs that shows no certificate, and trusts nobody but this authority. */
    public ChannelCredentials credentials() {
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(authority().toFile())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a caller over TLS needs that shows a certificate, and trusts nobody but this authority. */
    public ChannelCredentials credentials(Pair own) {
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(authority().toFile())
                    .keyManager(own.certificate().toFile(), own.key().toFile())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what is in a file. */
    public String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Pair sign(String name, String host, Algorithm algorithm, Instant notBefore, Instant notAfter) {
        return signed(
                name,
                host,
                new CertificateBuilder()
                        .algorithm(algorithm)
                        .notBefore(notBefore)
                        .notAfter(notAfter));
    }

    private Pair signed(String name, String host, CertificateBuilder wanted) {
        var named = wanted.subject("CN=" + name);
        var signed =
                made(() -> (Character.isDigit(host.charAt(0)) ? named.addSanIpAddress(host) : named.addSanDnsName(host))
                        .buildIssuedBy(authority));
        return new Pair(
                write(name + ".pem", signed.getCertificatePathPEM()), write(name + ".key", signed.getPrivateKeyPEM()));
    }

    /** Makes a certificate; its maker throws just any exception. */
    @FunctionalInterface
    private interface Making {
        X509Bundle make() throws Exception;
    }

    private static X509Bundle made(Making making) {
        try {
            return making.make();
        } catch (Exception e) {
            throw new AssertionError("no certificate could be made", e);
        }
    }

    @Override
    public void close() {
        folder.close();
    }
}
