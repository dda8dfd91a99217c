package dev.weir.rules.yaml;

import dev.weir.limit.Charge;
import dev.weir.rules.Domain;
import dev.weir.rules.DomainPlaces;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.RulesException.Mistakes;
import dev.weir.rules.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads rule files as docs/rules.md describes them. */
public final class YamlRules {
    /** What has no place, how many mistakes are not told, comes last. */
    private static final Comparator<Mistake> BY_PLACE = Comparator.comparing((Mistake mistake) -> mistake.line() == 0)
            .thenComparing(Mistake::file)
            .thenComparingInt(Mistake::line)
            .thenComparingInt(Mistake::column);

    private YamlRules() {}

    /**
     * Reads all files into one set of rules.
     *
     * @param files one domain in each, in the order in which equal domains are appended
     * @throws RulesException with the mistakes of all files, by file, line and column
     */
    public static RuleSet read(List<SourceFile> files, Options options) throws RulesException {
        return read(files, options, null);
    }

    /**
     * Reads all files into one set of rules, and takes what did not change from the set before.
     *
     * @param former the set before, or null
     * @throws RulesException as above
     */
    public static RuleSet read(List<SourceFile> files, Options options, @Nullable RuleSet former)
            throws RulesException {
        var round = new Round(options, former);
        List<Domain> inPlace = round.domains(files, true, new DomainPlaces(false, "text"));
        round.isReplaced = inPlace.stream().map(Domain::name).collect(Collectors.toSet())::contains;
        List<Domain> domains = round.domains(files, false, new DomainPlaces(options.isMergingDomains(), "file"));
        domains.addAll(inPlace);
        if (!round.mistakes.isEmpty()) {
            throw new RulesException(byPlace(round.mistakes));
        }
        round.names.values().forEach(RateLimitReader.Names::remark);
        return RuleSet.of(domains, former).with(byPlace(round.remarks));
    }

    /** What is found in all files. */
    private static final class Round {
        final Mistakes mistakes = new Mistakes();
        final Mistakes remarks = new Mistakes();
        final Map<String, RateLimitReader.Names> names = new LinkedHashMap<>();
        Predicate<String> isReplaced = _ -> false;
        private final Options options;
        private final @Nullable RuleSet former;
        private final DescriptorRoom room;

        Round(Options options, @Nullable RuleSet former) {
            this.options = options;
            this.former = former;
            this.room = new DescriptorRoom(options.mostDescriptors(), options.pause());
        }

        /** Reads those that stand in place of others, or the others; a domain that is replaced is read for its mistakes alone. */
        List<Domain> domains(List<SourceFile> files, boolean inPlace, DomainPlaces known) {
            List<Domain> domains = new ArrayList<>();
            for (var file : files) {
                if (file.isInPlace() == inPlace && !room.isExceeded()) {
                    var report = new Report(file.name(), mistakes, remarks);
                    var reader = new DomainReader(report, known, options, former, room);
                    var domain = reader.read(file.content());
                    if (domain != null && isReplaced.test(domain.name())) {
                        remarks.add(new Mistake(file.name(), 0, 0, replaced(domain)));
                    } else if (domain != null) {
                        domains.add(domain);
                        names.merge(domain.name(), reader.names(), RateLimitReader.Names::and);
                    }
                }
            }
            return domains;
        }

        private static String replaced(Domain domain) {
            return "the domain `" + Mistake.quoted(domain.name())
                    + "` is not in force as it stands here: rules were put in its place (GET /rules)";
        }
    }

    private static List<Mistake> byPlace(Mistakes mistakes) {
        return mistakes.all("all files").stream().sorted(BY_PLACE).toList();
    }

    /**
     * How rule files are read.
     *
     * @param isMergingDomains whether several files may define the same domain ({@code MERGE_DOMAIN_CONFIG})
     * @param fixedWindowCharge the charge of fixed windows that state none
     * @param mostDescriptors how many there may be in all files, and each four pieces of metadata count as one: the heap must bear
     *     them twice, and nodes of half as much while a file is read
     * @param pause is run each time a thousand scalars, lists and maps were read, and may wait: what large files take of the
     *     processors and of the garbage collector's pauses is spread over a longer time then (docs/decisions/0034)
     */
    public record Options(boolean isMergingDomains, Charge fixedWindowCharge, long mostDescriptors, Runnable pause) {
        /** For who has nothing else to do. */
        public static final Runnable AT_ONCE = () -> {};

        /** Reads files of any size at once. */
        public Options(boolean isMergingDomains, Charge fixedWindowCharge) {
            this(isMergingDomains, fixedWindowCharge, Integer.MAX_VALUE, AT_ONCE);
        }

        /** Returns the same with pauses. */
        public Options with(Runnable other) {
            return new Options(isMergingDomains, fixedWindowCharge, mostDescriptors, other);
        }
    }
}
