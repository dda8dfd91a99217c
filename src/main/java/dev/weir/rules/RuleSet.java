package dev.weir.rules;

import dev.weir.limit.FailurePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All domains and their rules, compiled for matching: immutable, and safe to be asked by any number of threads.
 *
 * <p>What an operator writes as lists becomes nested maps, key to value to node, so that a level costs two look-ups
 * whatever the number of siblings, and no two descriptors can be mistaken for each other.
 */
public final class RuleSet {
    private final Map<String, Tree> trees;
    private final List<Rule> rules;
    private final List<Mistake> remarks;
    private final Set<FailurePolicy> failurePolicies;

    private RuleSet(Map<String, Tree> trees, List<Rule> rules, List<Mistake> remarks) {
        this.trees = trees;
        this.rules = rules;
        this.remarks = List.copyOf(remarks);
        this.failurePolicies = Stream.concat(
                        trees.values().stream().map(Tree::onStoreFailure),
                        rules.stream()
                                .filter(rule -> !rule.isUnlimited())
                                .map(rule -> rule.flags().onStoreFailure()))
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Compiles domains. Those with the same name are one: their first levels are appended in the order of the list, the
     * whole is atomic if one of them is, and the first that says what follows from a failing store says it for all.
     *
     * @throws IllegalArgumentException if two siblings have the same key and value; who reads text reports that before
     */
    public static RuleSet of(List<Domain> domains) {
        return of(domains, null);
    }

    /**
     * Compiles domains, and takes what did not change from the set before. A rule that is one of that set says the same at the
     * same number, so what belongs to it still does.
     *
     * @param former the set before, or null
     * @throws IllegalArgumentException as above
     */
    public static RuleSet of(List<Domain> domains, @Nullable RuleSet former) {
        Map<String, List<Domain>> byName = new LinkedHashMap<>();
        for (var domain : domains) {
            byName.computeIfAbsent(domain.name(), _ -> new ArrayList<>()).add(domain);
        }
        Map<String, Tree> trees = new LinkedHashMap<>();
        List<Rule> rules = new ArrayList<>();
        byName.forEach((name, parts) -> {
            var nodes = parts.stream().flatMap(part -> part.nodes().stream()).toList();
            boolean isAtomic = parts.stream().anyMatch(Domain::isAtomic);
            var whole = new Domain(name, nodes, isAtomic, policyOf(parts));
            trees.put(name, Tree.compile(whole, rules, treeOf(former, name)));
        });
        return new RuleSet(trees, List.copyOf(rules), List.of());
    }

    private static @Nullable FailurePolicy policyOf(List<Domain> parts) {
        for (Domain part : parts) {
            if (part.onStoreFailure() != null) {
                return part.onStoreFailure();
            }
        }
        return null;
    }

    /** Returns the same rules with what is to be told of them. */
    public RuleSet with(List<Mistake> newRemarks) {
        return new RuleSet(trees, rules, newRemarks);
    }

    /** Returns what rules and domains say is answered where the store cannot be asked. */
    public Set<FailurePolicy> failurePolicies() {
        return failurePolicies;
    }

    /** Returns what is right, but hardly meant; by file, line and column. */
    public List<Mistake> remarks() {
        return remarks;
    }

    /** Returns the domain's tree, to be asked for rules, or null if no file defines the domain. */
    public @Nullable Tree domain(String name) {
        return trees.get(name);
    }

    /**
     * Returns the first level of a domain, for who reads the rules that come next.
     *
     * @param former the set in force, or null
     */
    public static FormerLevel former(@Nullable RuleSet former, String domain) {
        Tree tree = treeOf(former, domain);
        return tree == null ? FormerLevel.NONE : tree.former();
    }

    private static @Nullable Tree treeOf(@Nullable RuleSet set, String domain) {
        return set == null ? null : set.domain(domain);
    }

    /** Returns the names of all domains, in file order. */
    public List<String> domainNames() {
        return List.copyOf(trees.keySet());
    }

    /** Returns all rules in file order, a node's own before those below it. */
    public List<Rule> rules() {
        return rules;
    }
}
