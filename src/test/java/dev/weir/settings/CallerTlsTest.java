package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.settings.table.SettingsException;
import dev.weir.testing.SignedFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The variables of TLS for callers; what is wrong with a file is told with the variable that names it. */
final class CallerTlsTest {
    private static final String USE = "GRPC_SERVER_USE_TLS";
    private static final String CERTIFICATE = "GRPC_SERVER_TLS_CERT";
    private static final String KEY = "GRPC_SERVER_TLS_KEY";
    private static final String AUTHORITY = "GRPC_CLIENT_TLS_CACERT";
    private static final String NAME = "GRPC_CLIENT_TLS_SAN";

    private final SignedFiles files = SignedFiles.create();
    private final SignedFiles.Pair own = files.sign("weir", "weir.example");

    @AfterEach
    void end() {
        files.close();
    }

    private Map<String, String> own(String... more) {
        var variables = new HashMap<>(Map.of(
                USE, "true",
                CERTIFICATE, own.certificate().toString(),
                KEY, own.key().toString()));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return variables;
    }

    private static void assertMistake(Map<String, String> variables, String variable, String mistake) {
        List<String> mistakes = catchThrowableOfType(SettingsException.class, () -> Settings.read(variables))
                .mistakes();
        String text = variables.getOrDefault(variable, "");
        String shown = text.isEmpty() ? "empty" : '"' + text + '"';
        assertThat(mistakes).singleElement().asString().startsWith(variable + " is " + shown + ": " + mistake);
    }

    @Test
    void without_tls_no_file_is_read() throws Exception {
        var variables = Map.of(CERTIFICATE, "/nowhere", NAME, "envoy.example", AUTHORITY, "/nowhere");
        var settings = Settings.read(variables);
        assertThat(settings.grpc().tls()).isNull();
        assertThat(settings.ignored()).isEmpty();
    }

    @Test
    void callers_show_a_certificate_where_there_is_an_authority() throws Exception {
        assertThat(Settings.read(own()).grpc().tls()).isEqualTo(new CallerTls(own.certificate(), own.key(), null, ""));
        var authority = files.authority();
        assertThat(Settings.read(own(AUTHORITY, authority.toString(), NAME, "envoy.example"))
                        .grpc()
                        .tls())
                .isEqualTo(new CallerTls(own.certificate(), own.key(), authority, "envoy.example"));
    }

    @Test
    void a_certificate_and_its_key_are_needed() {
        assertMistake(Map.of(USE, "true"), CERTIFICATE, "`GRPC_SERVER_USE_TLS` needs a certificate, and its key in");
        assertMistake(own(KEY, ""), KEY, "give the key of the certificate in `GRPC_SERVER_TLS_CERT`.");
        assertMistake(own(CERTIFICATE, ""), CERTIFICATE, "give the certificate of the key in `GRPC_SERVER_TLS_KEY`.");
    }

    @Test
    void a_key_that_stands_in_the_place_of_its_path_is_not_shown() {
        var mistake =
                catchThrowableOfType(SettingsException.class, () -> Settings.read(own(KEY, "LS0tLS1CRUdJTiBQUklW")));
        assertThat(mistake)
                .hasMessageContaining(KEY + " is not shown here (it looks like what belongs into a file): ")
                .message()
                .doesNotContain("LS0t");
    }

    @Test
    void files_that_are_of_no_use_are_named() {
        String missing = files.file("missing.pem").toString();
        var expired = files.signExpired("old", "weir.example");
        var other = files.sign("other", "weir.example");
        assertMistake(own(CERTIFICATE, missing), CERTIFICATE, "there is no such file.");
        assertMistake(own(KEY, missing), KEY, "there is no such file.");
        assertMistake(own(CERTIFICATE, own.key().toString()), CERTIFICATE, "the file holds no certificate");
        assertMistake(own(KEY, files.authority().toString()), KEY, "the file holds no private key");
        assertMistake(
                own(KEY, other.key().toString()),
                KEY,
                "the key does not belong to the certificate in " + own.certificate() + ".");
        assertMistake(
                own(
                        CERTIFICATE,
                        expired.certificate().toString(),
                        KEY,
                        expired.key().toString()),
                CERTIFICATE,
                "the certificate has expired, on ");
    }

    @Test
    void in_one_file_with_the_certificate_a_key_of_no_use_is_told_with_its_own_variable() {
        var other = files.sign("other", "weir.example");
        assertBothRefused(
                files.textOf(other.key()), KEY, "the key does not belong to the certificate in the same file.");
        assertBothRefused("", KEY, "the file holds no private key");
        assertMistake(
                own(CERTIFICATE, other.key().toString(), KEY, other.key().toString()),
                CERTIFICATE,
                "the file holds no certificate");
    }

    private void assertBothRefused(String key, String variable, String mistake) {
        String both =
                files.write("both.pem", files.textOf(own.certificate()) + key).toString();
        assertMistake(own(CERTIFICATE, both, KEY, both), variable, mistake);
    }

    @Test
    void authorities_of_no_use_are_named() {
        assertMistake(own(AUTHORITY, "/nowhere/ca.pem"), AUTHORITY, "there is no such file.");
        assertMistake(own(AUTHORITY, own.key().toString()), AUTHORITY, "the file holds no certificate");
        var expired = files.signExpired("old", "weir.example");
        String only = files.write("old.pem", firstOf(expired)).toString();
        assertMistake(own(AUTHORITY, only), AUTHORITY, "the certificate has expired, on ");
        assertMistake(own(NAME, "envoy.example"), AUTHORITY, "a name in `GRPC_CLIENT_TLS_SAN` proves nothing");
    }

    /** The chain has the authority behind it, which is valid. */
    private String firstOf(SignedFiles.Pair pair) {
        String end = "-----END CERTIFICATE-----";
        String chain = files.textOf(pair.certificate());
        return chain.substring(0, chain.indexOf(end) + end.length());
    }
}
