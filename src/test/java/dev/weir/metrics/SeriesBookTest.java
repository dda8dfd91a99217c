package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Callers choose values, and must not fill the memory with their names. */
final class SeriesBookTest {
    private final SeriesBook book = new SeriesBook(2);

    @Test
    void names_beyond_the_bound_are_one_series_of_their_domain() {
        Series first = book.made("shop", "shop.user_1");
        assertThat(book.made("shop", "shop.user_2").name()).isEqualTo("shop.user_2");
        assertThat(book.made("shop", "shop.user_3").name()).isEqualTo("shop.other");
        assertThat(book.made("bank", "bank.user_3").name()).isEqualTo("bank.other");
        assertThat(book.made("shop", "shop.user_1")).isSameAs(first);
        assertThat(book.made()).isEqualTo(2);
        assertThat(book.folded()).isEqualTo(2);
    }

    @Test
    void series_of_rules_are_never_folded_and_take_no_place() {
        book.made("shop", "shop.user_1");
        book.made("shop", "shop.user_2");
        assertThat(book.configured("shop.path").name()).isEqualTo("shop.path");
        assertThat(book.made("shop", "shop.path").name()).isEqualTo("shop.path");
        assertThat(book.folded()).isZero();
    }

    @Test
    void a_name_as_long_as_a_message_is_folded() {
        assertThat(book.made("shop", "shop.user_" + "x".repeat(2_000)).name()).isEqualTo("shop.other");
        assertThat(book.made()).isZero();
    }

    @Test
    void names_may_have_so_many_characters_together() {
        String longOne = "shop.user_" + "x".repeat(110);
        assertThat(book.made("shop", longOne).name()).isEqualTo(longOne);
        assertThat(book.made("shop", "shop.user_2").name()).isEqualTo("shop.other");
        assertThat(book.made("shop", "shop.u_2").name()).isEqualTo("shop.u_2");
        assertThat(book.made()).isEqualTo(2);
    }

    @Test
    void unknown_domains_share_the_bound() {
        book.made("shop", "shop.user_1");
        book.domainNotFound("a", 3);
        book.domainNotFound("b:c", 1);
        book.domainNotFound("a", 2);
        assertThat(book.unknownDomains().entrySet().stream()
                        .map(domain -> domain.getKey() + " " + domain.getValue().sum()))
                .containsExactlyInAnyOrder("a 5", "other 1");
    }
}
