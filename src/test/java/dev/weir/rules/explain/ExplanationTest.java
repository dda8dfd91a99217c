package dev.weir.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of each entry, and which rules nearly matched, why. */
final class ExplanationTest {

    /** The value is long, and held against each pattern: done anew for each rule, that would take minutes. */
    @Test
    @Timeout(60)
    void below_thousands_of_patterns_the_way_there_is_found_once() {
        var places = Stream.concat(
                        IntStream.range(0, 2_000).mapToObj(i -> "host=*x0000" + i + "*"),
                        IntStream.range(0, 2_000).mapToObj(i -> "host=*zz*,path=/" + i))
                .toList();
        var descriptor = Trees.descriptor("host=" + "x0".repeat(50_000) + "zz,path=/foo");
        var explanation = Explanation.of(Trees.of(places), descriptor);
        assertThat(explanation.nearMisses()).hasSize(2_000);
        assertThat(explanation.uncompared()).isZero();
    }

    @Test
    void who_does_not_wait_is_told_how_many_rules_were_not_compared() {
        var places = List.of("user=1", "user=2", "user=3", "user=4");
        var left = new AtomicInteger(2);
        var explanation =
                Explanation.of(Trees.of(places), Trees.descriptor("user=5"), () -> left.decrementAndGet() >= 0);
        assertThat(explanation.nearMisses().stream().map(miss -> RuleWords.place(miss.rule())))
                .containsExactly("user=1", "user=2");
        assertThat(explanation.uncompared()).isEqualTo(2);
        assertThat(ExplanationText.of(Trees.of(places), explanation, (_, _) -> List.of()))
                .endsWith("\n             not compared, as it takes too long: 2 rules\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # rules                  | descriptor       | what became of the entries
        path=/a                  | path=/a          | the exact value
        path=/*                  | path=/a          | the pattern `/*`
        path=/*                  | path=/*          | the exact value
        path                     | path=/a          | the bare key `path`: any value
        path=/a path             | path=            | the bare key `path`: any value
        path=/a!                 | path=/a          | the exact value; it has no limit
        tier,user                | tier=x           | the bare key `tier`: any value; it has no limit
        path=/a path=/b*         | path=/x          | nowhere: no such value here, but `/a`, `/b*`
        v=1 v=2 v=3 v=4 v=5 v=6  | v=7              | nowhere: no such value here, but `1`, `2`, `3`, `4`, `5` and 1 more
        path=/a path user        | ip=1             | nowhere: no key `ip` here, but `path`, `user`
        user                     | user=7,path=/a   | the bare key `user`: any value / nowhere: the rules go no deeper here
        user                     | ip=1,user=7      | nowhere: no key `ip` here, but `user` / not looked at
        """)
    void each_entry_is_told_where_it_lands_or_why_nowhere(String rules, String descriptor, String landings) {
        var explanation = explain(rules, descriptor);
        assertThat(explanation.steps().stream().map(Explanation.Step::landing)).containsExactly(landings.split(" / "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # rules                        | descriptor         | near misses
        # fits, but another one goes first
        path=/a path=/*                | path=/a            | path=/*: fits too, but `path=/a` goes first: an exact value goes before a pattern
        path=/* path=/a* path          | path=/ab           | path=/a*: fits too, but `path=/*` goes first: the first pattern in the file wins / path: fits too, but `path=/*` goes first: a pattern goes before a bare key
        user=7! user                   | user=7             | user: fits too, but `user=7` goes first: an exact value goes before a bare key
        a=1,b=1 a=*,b=2                | a=1,b=2            | a=*,b=2: fits too, but `a=1` goes first: an exact value goes before a pattern, and there is no way back / a=1,b=1: asks for `1`, not `2`
        # spelling
        path=/login path=/*            | path=/Login        | path=/login: `/login` and `/Login` differ in upper and lower case only
        path=/login path=/*            | path=/logn         | path=/login: `/login` and `/logn` differ in a few letters only
        path=/API/* path               | path=/api/x        | path=/API/*: `/API/*` and `/api/x` differ in upper and lower case only
        user                           | usr=7              | user: key `user` and `usr` differ in a few letters only
        User=7                         | user=7             | User=7: key `User` and `user` differ in upper and lower case only
        id=1 id=2                      | id=3               | id=1: asks for `1`, not `3` / id=2: asks for `2`, not `3`
        # another value, another key
        path=/login path=/api/*        | path=/ap           | path=/api/*: `/api/*` does not fit `/ap` / path=/login: asks for `/login`, not `/ap`
        tenant=acme other=acm          | customer=acme      | tenant=acme: has `acme` under the key `tenant`, not `customer`
        tier=free,user                 | tier=free,plan=7   | tier=free,user: has `7` under the key `user`, not `plan`
        # order and number
        tier=free,user                 | user=7,tier=free   | tier=free,user: would match in this order: `tier=free,user=7`
        a=*,a=1,a=2                    | a=1,a=2,a=3        | a=*,a=1,a=2: would match in this order: `a=3,a=1,a=2`
        tier=free,user                 | tier=free          | tier=free,user: asks for `user`, too
        tier=free,user,path=/*         | user=7             | tier=free,user,path=/*: asks for `tier=free,path=/*`, too
        tier=free,user                 | tier=free,x=1,user=7 | tier=free,user: would match without `x=1`
        user                           | a=1,user=7,b=2     | user: would match without `a=1,b=2`
        # the nearer first
        a,b,c a,b                      | a=1                | a,b: asks for `b`, too / a,b,c: asks for `b,c`, too
        a=x,b a=yyyy a=longer          | a=longr            | a=longer: `longer` and `longr` differ in a few letters only / a=yyyy: asks for `yyyy`, not `longr`
        """)
    void a_near_miss_is_told_with_what_kept_it_apart(String rules, String descriptor, String nearMisses) {
        assertThat(told(rules, descriptor)).containsExactly(nearMisses.split(" / "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # rules                  | descriptor
        user=anna user=annb      | user=anna
        # it ends where somebody meant it to end
        user=anna! user=annb     | user=anna
        # a first pattern hides it whatever is mended
        path=/a*! path=/api/*    | path=/x
        path=*! path             | paht=/x
        # for any value, and no more in common
        user path                | ip=1
        # where there is a rule, only what could be expected in its place
        user user,path           | user=7
        a=*,b a=1,c              | a=2,b=1
        a,b b,a                  | a=1,b=1
        # nothing in common
        user=anna                | path=/login
        user=anna                | user=7,path=/login
        """)
    void what_is_not_near_is_not_told(String rules, String descriptor) {
        assertThat(told(rules, descriptor)).isEmpty();
    }

    private static List<String> told(String rules, String descriptor) {
        return explain(rules, descriptor).nearMisses().stream()
                .map(miss -> RuleWords.place(miss.rule()) + ": " + miss.reason())
                .toList();
    }

    private static Explanation explain(String rules, String descriptor) {
        var tree = Trees.of(Arrays.asList(rules.split(" +")));
        return Explanation.of(tree, Trees.descriptor(descriptor));
    }
}
