package dev.weir.rules.watch;

import java.util.List;

/** Is told what became of each attempt to load rules, on the thread that loaded them. */
public interface RulesListener {

    /** A set of rules is in force now. */
    void loaded(Loaded loaded);

    /** Rules could not be put in force, for a mistake in them or because they could not be read; those before, if any, stay in force. */
    void failed(Failed failed);

    /**
     * Something among the rule files cannot be read, and is passed over from now on: a directory to which the service has no
     * right, a link that leads nowhere. Told again only if it could be read in between.
     *
     * @param reason with its place and what to do about it
     */
    void passedOver(String reason);

    /**
     * What was put in force.
     *
     * @param version 1 for the first set, and one more for each that followed
     * @param origin what it comes from, as in {@code 3 files}
     * @param domains how many domains it has
     * @param rules how many rules it has
     * @param remarks on what is right but hardly meant, each with its place and what to do about it, and not told of the set before; the
     *     first ten, and how many more there are
     */
    record Loaded(long version, String origin, int domains, int rules, List<String> remarks) {

        public Loaded {
            remarks = List.copyOf(remarks);
        }
    }

    /**
     * Why nothing was put in force.
     *
     * @param mistakes each with its place and what to do about it; at least one
     * @param versionInForce the set that stays in force; 0 if there is none yet
     */
    record Failed(List<String> mistakes, long versionInForce) {

        public Failed {
            mistakes = List.copyOf(mistakes);
        }
    }
}
