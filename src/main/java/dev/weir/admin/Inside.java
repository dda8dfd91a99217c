package dev.weir.admin;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Counters;
import dev.weir.decide.Decision;
import dev.weir.decide.DecisionListener;
import dev.weir.limit.Charge;
import dev.weir.live.LiveView;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.rules.kept.RuleChanges;
import dev.weir.store.Reading;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the pages ask and show of the service behind them.
 *
 * @param reader reads the bytes of a {@code RateLimitRequest} in the JSON that protobuf prescribes; throws {@link
 *     dev.weir.request.InvalidRequestException} if they are none
 * @param writer writes a {@code RateLimitResponse} in that JSON
 * @param decider answers a request; fails with {@link dev.weir.request.InvalidRequestException}, {@link
 *     dev.weir.decide.UndecidedException}, {@link dev.weir.decide.OverloadedException} or {@link
 *     dev.weir.decide.NoRulesException}; anything else is a defect
 * @param patience how long an answer may take: so much longer than the decider's own deadline that only a defect takes longer
 * @param listener is told of requests to {@code /json} that the decider does not see, or does not see fail
 * @param maxMessageBytes how many bytes a body may have
 * @param probes whether the service is well
 * @param store what is watched for the counters with the most hits
 * @param forgetter forgets the counters of a request; throws {@link dev.weir.request.InvalidRequestException} or {@link
 *     dev.weir.decide.NoRulesException}
 * @param looker reads the counters of a request; throws as the forgetter does
 * @param adminToken who says it may change counters and rules
 * @param ruleChanges changes the rules that are kept in the store; null if none are
 * @param inForce the rules in force, or null while there are none
 * @param fixedWindowCharge the charge of fixed windows that state none, and of which nothing is shown
 * @param statistics {@code name: value}, in the order in which they are shown
 * @param live what happens just now
 */
public record Inside(
        Function<byte[], Request> reader,
        Function<Verdict, String> writer,
        Function<Request, Decision> decider,
        Duration patience,
        DecisionListener listener,
        int maxMessageBytes,
        Probes probes,
        WatchedStore store,
        Function<Request, Counters<Boolean>> forgetter,
        Function<Request, Counters<Reading>> looker,
        AdminToken adminToken,
        @Nullable RuleChanges ruleChanges,
        Supplier<@Nullable RuleSet> inForce,
        Charge fixedWindowCharge,
        Supplier<List<String>> statistics,
        LiveView live) {}
