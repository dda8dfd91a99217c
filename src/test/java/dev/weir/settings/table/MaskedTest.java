package dev.weir.settings.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of an address that is told in a message, the secrets stay untold, however it is written. */
final class MaskedTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "redis",
                "redis:6379",
                "redis:70000 ",
                "a:1,b",
                "mymaster,a:1, [::1]:2",
                "/run/redis.sock",
                "tcp://10.0.0.1:6379",
                "rediss://[::1]:6379/2",
                "http://collector:4318/v1/traces"
            })
    void what_holds_no_secret_is_told(String text) {
        assertThat(Masked.of(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://jo:sesame@redis:6379/2 | redis://***@redis:6379/2",
                "redis://sesame@redis | redis://***@redis",
                "redis://jo:ses%2Came@[::1]:6379 | redis://***@[::1]:6379",
                "redis://redis:6379?db=2&password=sesame | redis://redis:6379?***",
                "redis://redis?password=ses@me | redis://***",
                "redis://jo:sesame@a:1/?password=sesame | redis://***@a:1/?***",
                "redis://jo:sesame@a:1,redis://jo:sesame@b:2 | redis://***@a:1,redis://***@b:2",
                "redis://a:1,redis://jo:sesame@b:2 | redis://a:1,redis://***@b:2",
                "mymaster,redis://jo:sesame@a:1, rediss://sesame@b | mymaster,redis://***@a:1,rediss://***@b",
                "redis://a:1?password=sesame,redis://b:2?password=sesame | redis://a:1?***,redis://b:2?***",
                "http://jo:sesame@collector:4318/v1/traces | http://***@collector:4318/v1/traces"
            })
    void addresses_are_told_without_their_secrets(String text, String shown) {
        assertThat(Masked.of(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jo:sesame",
                "redis:6379,jo:sesame",
                "redis://jo:ses/ame@redis:6379",
                "redis://jo:ses,ame@redis:6379",
                "redis://jo:12,ame@redis:6379",
                "redis://jo:ses@ame@redis:6379",
                "redis://jo:ses?ame@redis:6379",
                "redis://jo:12?ame@redis:6379",
                "redis://jo:12/ses?ame@redis:6379",
                "redis://jo:ses#ame@redis:6379",
                "redis://jo:ses ame@redis:6379",
                "redis://jo:ses\name@redis:6379",
                "redis://jo:ses://ame@redis:6379",
                "redis://jo:ses,redis://ame@redis:6379",
                "redis://jo:sesame",
                "redis://jo:sesame:6379",
                "redis://jo:ses%40me:6379",
                "redis://:sesame@redis:http",
                "redis://:sesame@",
                "redis://:sesame@,redis://:sesame@b:1",
                "redis://sesame@@redis",
                "redis://a:1,jo:sesame@b:2",
                "redis://jo:sesame@a:1,b:2",
                "redis://jo:sesame@a:1,,redis://jo:sesame@b:2",
                "redis://jo:sesame@a:1;redis://jo:sesame@b:2",
                "redis://jo:sesame@a:1 redis://jo:sesame@b:2",
                "redis://jo:sesame@a:1,mymaster",
                "a b,redis://jo:sesame@a:1",
                "redis:/jo:sesame@redis:6379",
                "redis:jo:sesame@redis:6379",
                "//jo:sesame@redis:6379",
                "://jo:sesame@redis:6379",
                "/jo:sesame@redis:6379",
                "jo:sesame@redis:6379",
                "sesame@redis:6379",
                "REDIS://jo:sesame@redis:6379",
                " redis://jo:sesame@redis:6379 ",
                "\"redis://jo:sesame@redis:6379\"",
                "<redis://jo:sesame@redis:6379>",
                "redis:6379 sesame",
                "a:1, redis:6379\tsesame",
                "redis://redis:6379&password=sesame",
                "redis://redis:6379#password=sesame",
                "redis://redis:6379 ?password=sesame",
                "redis:6379?password=sesame",
                "redis:6379&password=sesame",
                "redis?password=ses,ame",
                "redis://redis?password=ses,ame",
                "redis://redis?password=ses,ame@b",
                "redis://redis?password=ses ame",
                "redis://redis/?PASSWORD=sesame&db=1",
                "/run/redis.sock,redis://jo:sesame@redis:6379",
                "unix:///run/redis.sock?password=sesame",
                "foo://jo:sesame@bar"
            })
    void nothing_of_a_secret_is_told_where_an_address_is_malformed(String text) {
        assertThat(Masked.of(text)).doesNotContain("ses").doesNotContain("ame").doesNotContain("jo");
    }
}
