package dev.weir.tls;

import dev.weir.tls.PemException.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The blocks of a PEM file in their order; what stands between them is a remark of whoever wrote it.
 *
 * @param file where they stand
 * @param part what the file is read for
 */
record Pem(Path file, Part part, List<Block> blocks) {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    /**
     * A block.
     *
     * @param label what it says it is, for instance {@code CERTIFICATE}
     * @param body everything between its two lines
     */
    record Block(String label, String body) {}

    static Pem read(Path file, Part part) throws PemException {
        var blocks = new ArrayList<Block>();
        var matcher = BLOCK.matcher(textOf(file, part));
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        return new Pem(file, part, List.copyOf(blocks));
    }

    /**
     * Returns the certificates, at least one.
     *
     * @throws PemException if there is none, or one that is not what it says it is
     */
    List<X509Certificate> certificates() throws PemException {
        var found = new ArrayList<X509Certificate>();
        for (Block block : blocks) {
            if (block.label.equals("CERTIFICATE") && certificate(block) instanceof X509Certificate certificate) {
                found.add(certificate);
            }
        }
        if (found.isEmpty()) {
            throw mistake("the file holds no certificate in PEM form");
        }
        return found;
    }

    private java.security.cert.Certificate certificate(Block block) throws PemException {
        try {
            return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes(block)));
        } catch (CertificateException _) { // its words are about bytes
            throw mistake("the file holds a certificate that cannot be read");
        }
    }

    byte[] bytes(Block block) throws PemException {
        try {
            return Base64.getMimeDecoder().decode(block.body);
        } catch (IllegalArgumentException _) {
            throw mistake("what stands under " + block.label + " is not Base64");
        }
    }

    static boolean isValidNow(X509Certificate certificate) {
        try {
            certificate.checkValidity();
            return true;
        } catch (CertificateExpiredException | CertificateNotYetValidException _) {
            return false;
        }
    }

    /** Returns what is wrong with a certificate that is not valid now. */
    PemException notValid(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        return mistake(
                end.isBefore(Instant.now())
                        ? "the certificate has expired, on " + end
                        : "the certificate is not valid before "
                                + certificate.getNotBefore().toInstant());
    }

    PemException mistake(String reason) {
        return new PemException(file, part, reason);
    }

    private static String textOf(Path file, Part part) throws PemException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException _) {
            throw new PemException(file, part, "there is no such file");
        } catch (AccessDeniedException _) {
            throw new PemException(file, part, "the file may not be read by this user");
        } catch (IOException e) {
            throw new PemException(file, part, "the file cannot be read: " + e.getMessage());
        }
    }
}
