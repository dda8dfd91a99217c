package dev.weir.rules.xds;

import com.google.protobuf.Any;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.weir.rules.Domain;
import dev.weir.rules.DomainPlaces;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.RulesException.Mistakes;
import dev.weir.rules.Siblings;
import dev.weir.words.OneLine;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the resources of one response into one set of rules. */
record ResourceReader(XdsOptions.Reading options) {
    private static final String NAME = RateLimitConfig.getDescriptor().getFullName();

    /** The only type of resource that is asked for. */
    static final String TYPE = "type.googleapis.com/" + NAME;

    /** What nobody knows weighs nothing, so it is not kept. */
    private static final Parser<RateLimitConfig> PARSER = DiscardUnknownFieldsParser.wrap(RateLimitConfig.parser());

    /**
     * Reads all resources.
     *
     * @param former the rules in force, from which what did not change is taken, or null
     * @throws RulesException with the mistakes of all resources, by name and field
     */
    Read read(DiscoveryResponse response, @Nullable RuleSet former) throws RulesException {
        String type = response.getTypeUrl();
        if (!type.isEmpty() && !type.equals(TYPE)) {
            // Without this an empty answer to somebody else's question would remove all rules.
            throw new RulesException(List.of(new Mistake("response", 0, 0, otherType(type))));
        }
        return read(response.getResourcesList(), former);
    }

    private Read read(List<Any> resources, @Nullable RuleSet former) throws RulesException {
        weigh(resources);
        var mistakes = new Mistakes();
        var known = new DomainPlaces(options.mergeDomains(), "resource");
        var descriptors = new DescriptorReader(options.fixedWindowCharge());
        List<Domain> domains = new ArrayList<>();
        int nameless = 0;
        for (int i : byName(resources)) {
            var config = decoded(resources.get(i), i, mistakes);
            if (config == null) {
                continue;
            }
            var report = new Report(name(config, i), "", mistakes);
            String domain = config.getDomain();
            String wrong = domain.isEmpty()
                    ? "the resource names no domain; write `domain: <name>`"
                    : known.name(domain, report.place());
            if (wrong != null) {
                report.mistake("domain", wrong);
            }
            nameless += config.getName().isEmpty() ? 1 : 0;
            var siblings = wrong == null ? known.firstLevel(domain) : new Siblings();
            var nodes = descriptors.read(config.getDescriptorsList(), siblings, RuleSet.former(former, domain), report);
            if (wrong == null) {
                domains.add(Domain.of(domain, nodes));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new RulesException(mistakes.all("response"));
        }
        return new Read(RuleSet.of(domains, former), nameless);
    }

    /**
     * Returns the places of the resources by their names, those without one first: control planes that keep them in a map send them
     * in another order each time, and what follows from the order would change with it.
     */
    private static int[] byName(List<Any> resources) {
        var names = resources.stream()
                .map(resource -> ResourceName.of(resource.getValue()))
                .toList();
        return IntStream.range(0, names.size())
                .boxed()
                .sorted(Comparator.comparing(names::get))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Refuses what the heap could not hold beside the rules in force: it would end the process, and each that takes its place. */
    private void weigh(List<Any> resources) throws RulesException {
        var weight = new Weight(options.mostDescriptors());
        for (var resource : resources) {
            weight.add(resource.getValue());
        }
        if (weight.isTooMuch()) {
            String message =
                    ("holds more than the %,d descriptors (or as much metadata) that this heap has room for; give"
                                    + " Weir a larger one by WEIR_HEAP, or send fewer")
                            .formatted(options.mostDescriptors());
            throw new RulesException(List.of(new Mistake("response", 0, 0, message)));
        }
    }

    /**
     * What was read.
     *
     * @param rules those of all resources
     * @param nameless how many resources have no name
     */
    record Read(RuleSet rules, int nameless) {}

    private static @Nullable RateLimitConfig decoded(Any resource, int index, Mistakes mistakes) {
        // What stands before the name only says where the message could be looked up.
        String type = resource.getTypeUrl();
        if (!type.substring(type.lastIndexOf('/') + 1).equals(NAME)) {
            mistakes.add(new Mistake(number(index), 0, 0, otherType(type)));
            return null;
        }
        try {
            return PARSER.parseFrom(resource.getValue());
        } catch (InvalidProtocolBufferException e) {
            mistakes.add(new Mistake(number(index), 0, 0, "cannot be decoded: " + e.getMessage()));
            return null;
        }
    }

    private static String otherType(String type) {
        return "is of the type `%s`, but `%s` was asked for".formatted(OneLine.of(type), TYPE);
    }

    private static String name(RateLimitConfig config, int index) {
        return config.getName().isEmpty() ? number(index) : "resource " + OneLine.of(config.getName());
    }

    /** Called so where there is no name. */
    private static String number(int index) {
        return "resource number " + (index + 1);
    }
}
