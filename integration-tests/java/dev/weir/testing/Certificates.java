package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** An authority of the tests and those whom it certifies, made by the keytool of this JDK and written as PEM files. */
public final class Certificates {
    private static final String PASSWORD = "changeit";

    /** In PKCS #8, the envelope around an RSA key of 2048 bits. */
    private static final int RSA_ENVELOPE = 26;

    private final Path folder;
    private final Path store;

    private Certificates(Path folder) {
        this.folder = folder;
        this.store = folder.resolve("store.p12");
    }

    /** Creates an authority; its files and those of whom it certifies lie in {@code folder}. */
    public static Certificates create(Path folder) {
        var certificates = new Certificates(folder);
        certificates.keytool("ca", "-dname", "CN=tests", "-ext", "bc:c");
        certificates.writePem("ca.crt", "CERTIFICATE", certificates.certificate("ca"));
        return certificates;
    }

    /** Returns the file of the authority's certificate. */
    public Path authority() {
        return folder.resolve("ca.crt");
    }

    /** Certifies a server of this machine under {@code 127.0.0.1}, {@code localhost} and {@code control.plane}. */
    public Certificates server() {
        certify("server", "-ext", "san=ip:127.0.0.1,dns:localhost,dns:control.plane");
        return this;
    }

    /** Certifies somebody. */
    public Certificates certify(String name, String... more) {
        var arguments = new ArrayList<>(List.of("-dname", "CN=" + name, "-signer", "ca"));
        arguments.addAll(List.of(more));
        keytool(name, arguments.toArray(String[]::new));
        writePem(name + ".crt", "CERTIFICATE", certificate(name));
        writePem(name + ".key", "PRIVATE KEY", key(name));
        return this;
    }

    /** Returns the file of somebody's certificate. */
    public Path certificateOf(String name) {
        return folder.resolve(name + ".crt");
    }

    /** Returns the file of somebody's private key, as PKCS #8. */
    public Path keyOf(String name) {
        return folder.resolve(name + ".key");
    }

    /** Returns a file of somebody's private key as Go writes it, PKCS #1. */
    public Path goKeyOf(String name) {
        byte[] key = key(name);
        return writePem(name + ".go.key", "RSA PRIVATE KEY", Arrays.copyOfRange(key, RSA_ENVELOPE, key.length));
    }

    private void keytool(String alias, String... more) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of("-genkeypair", "-alias", alias, "-keyalg", "RSA", "-keysize", "2048"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        command.addAll(List.of(more));
        try (var child = Child.start("keytool", folder, WeirCommand.inherited(), command)) {
            int exitCode = child.awaitEnd(Duration.ofSeconds(60));
            if (exitCode != 0) {
                throw new AssertionError("keytool ended with " + exitCode + ": " + child.output());
            }
        }
    }

    private byte[] certificate(String alias) {
        try {
            return keys().getCertificate(alias).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] key(String alias) {
        try {
            return keys().getKey(alias, PASSWORD.toCharArray()).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private KeyStore keys() {
        try {
            return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path writePem(String file, String kind, byte[] content) {
        String body = Base64.getMimeEncoder().encodeToString(content);
        try {
            return Files.writeString(
                    folder.resolve(file), "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, body, kind));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
