package dev.weir.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in force look by look: the file's text, or "early" where it could not be used. */
final class RenewedTest implements RenewalListener {
    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private Path file;
    private Renewed<String> renewed;
    private String fault = "";

    @Override
    public void renewed() {
        told.add("renewed");
    }

    @Override
    public void kept(Path wrong, String reason) {
        told.add(reason);
    }

    @BeforeEach
    void open() throws Exception {
        file = folder.resolve("tls.crt");
        put("first");
        renewed = new Renewed<>(List.of(file), this::read, this);
    }

    private void put(String text) throws IOException {
        Files.writeString(file, text);
    }

    private String read() throws PemException {
        if (fault.equals("a defect")) {
            throw new IllegalStateException(fault);
        }
        if (!fault.isEmpty()) {
            throw new PemException(file, PemException.Part.CERTIFICATES, fault);
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new PemException(file, PemException.Part.CERTIFICATES, String.valueOf(e.getMessage()));
        }
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            renewed.look();
        }
    }

    @Test
    void what_has_changed_is_taken_once_it_stands_still() throws IOException {
        put("second");
        look(1);
        assertThat(renewed.inForce()).isEqualTo("first");
        look(1);
        assertThat(renewed.inForce()).isEqualTo("second");
        look(3);
        assertThat(told).containsExactly("renewed");
    }

    @Test
    void a_certificate_that_comes_too_early_is_taken_when_its_time_has_come() throws IOException {
        fault = "the certificate is not valid before noon";
        put("second");
        look(5);
        assertThat(renewed.inForce()).isEqualTo("first");
        assertThat(told).as("said once").containsExactly(fault);
        fault = "";
        look(1);
        assertThat(renewed.inForce()).isEqualTo("second");
        assertThat(told).last().isEqualTo("renewed");
    }

    @Test
    void a_new_fault_and_new_files_with_the_old_one_are_told_of() throws IOException {
        fault = "too early";
        put("second");
        look(2);
        fault = "too late";
        look(2);
        put("third");
        look(3);
        assertThat(told).containsExactly("too early", "too late", "too late");
    }

    @Test
    void a_file_that_has_no_room_in_memory_does_not_end_the_watch() throws IOException {
        try (var huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(1L << 32); // of which the disk keeps nothing
            look(2);
        }
        assertThat(told).singleElement().asString().contains("OutOfMemoryError");
        assertThat(renewed.inForce()).isEqualTo("first");
        put("second");
        look(2);
        assertThat(renewed.inForce()).isEqualTo("second");
    }

    @Test
    void a_defect_does_not_end_the_watch() throws IOException {
        fault = "a defect";
        put("second");
        look(2);
        assertThat(told).singleElement().asString().contains("a defect");
        fault = "";
        look(1);
        assertThat(renewed.inForce()).isEqualTo("second");
    }
}
