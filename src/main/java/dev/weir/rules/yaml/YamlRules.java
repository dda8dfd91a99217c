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
import org.jspecify.annotations.Nullable;

/** Reads rule files as docs/rules.md describes them. */
public final class YamlRules {
    /**
     * Pieces of metadata, or a quarter as many descriptors, that aliases and merge keys may add to those written out, in all
     * files: a few lines can ask for billions. The heap must hold twice as many while they are loaded anew.
     */
    static final long MOST_REPEATED = 200_000;

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
        var mistakes = new Mistakes();
        var remarks = new Mistakes();
        Map<String, RateLimitReader.Names> names = new LinkedHashMap<>();
        var known = new DomainPlaces(options.isMergingDomains(), "file");
        List<Domain> domains = new ArrayList<>();
        var room = new DomainReader.Room(options.mostDescriptors(), MOST_REPEATED, options.pause());
        for (int i = 0; i < files.size() && !room.isExceeded(); i++) {
            var file = files.get(i);
            var report = new Report(file.name(), mistakes, remarks);
            var reader = new DomainReader(report, known, options, former, room);
            var domain = reader.read(file.content());
            if (domain != null) {
                domains.add(domain);
                names.merge(domain.name(), reader.names(), RateLimitReader.Names::and);
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(byPlace(mistakes));
        }
        names.values().forEach(RateLimitReader.Names::remark);
        return RuleSet.of(domains, former).with(byPlace(remarks));
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
     *     them twice
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
