package dev.weir.admin;

import dev.weir.decide.Counters;
import dev.weir.decide.NoRulesException;
import dev.weir.decide.UndecidedException;
import dev.weir.decide.key.KeyReader;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /reset}: forgets the counters of a request, and their locks, so that its caller has all limits again. It takes what {@code
 * /json} takes, from who has the token. The log tells who reset what, at any level and whatever
 * comes of it.
 *
 * <p>200 if all are forgotten, also those that there were not, and with a word on descriptors that no limit holds for; 404 if none
 * holds for the whole request, and else what {@link JsonPage} answers.
 */
final class ResetPage implements Page {
    private static final Logger LOG = LoggerFactory.getLogger(ResetPage.class);

    private final Inside inside;

    private ResetPage(Inside inside) {
        this.inside = inside;
    }

    /** Returns the page for who has the token. */
    static Page of(Inside inside) {
        return new ForOperators(new ResetPage(inside), inside.adminToken(), "to reset counters");
    }

    @Override
    public int mostBytes() {
        return inside.maxMessageBytes();
    }

    @Override
    public Reply answer(Question question) {
        if (!question.method().equals("POST")) {
            return Reply.text(405, "post what is to be reset\n").with("Allow", "POST");
        }
        try {
            return reset(inside.reader().apply(question.body()), question.from());
        } catch (InvalidRequestException mistake) {
            return Reply.text(400, mistake.getMessage() + "\n");
        } catch (NoRulesException outage) {
            return Reply.text(503, outage.getMessage() + "\n");
        }
    }

    private Reply reset(Request request, String from) {
        Counters<Boolean> begun = inside.forgetter().apply(request);
        List<Order> orders =
                begun.counters().stream().map(counter -> order(counter, from)).toList();
        if (orders.isEmpty()) {
            return Reply.text(404, "no limit holds for this: there is nothing to reset\n");
        }
        var page = new StringBuilder();
        boolean isDone = true;
        for (Order order : orders) {
            page.append(order.name).append(": ");
            try {
                page.append(order.done.get() ? "forgotten\n" : "there was none\n");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return AdminServer.NOBODY_WAITS;
            } catch (ExecutionException e) {
                isDone = false;
                String why = why(e.getCause());
                LOG.warn("{} may not have reset {}: {}", from, order.name, why);
                page.append(why).append('\n');
            }
        }
        IntStream.range(0, begun.held().size())
                .filter(i -> begun.held().get(i).isEmpty())
                .mapToObj(request.descriptors()::get)
                .distinct()
                .forEach(free ->
                        page.append(CounterWords.of(request.domain(), free)).append(": no limit holds\n"));
        return Reply.text(isDone ? 200 : 503, page.toString());
    }

    private Order order(Counters.Counter<Boolean> begun, String from) {
        String name = CounterWords.of(KeyReader.read(begun.key()), begun.limit());
        LOG.info("{} resets {}", from, name);
        return new Order(name, begun.said().orTimeout(inside.patience().toMillis(), TimeUnit.MILLISECONDS));
    }

    private static String why(@Nullable Throwable failure) {
        return switch (failure) {
            case UndecidedException outage -> String.valueOf(outage.getMessage());
            case TimeoutException _ -> "the store did not answer; nobody knows whether it is forgotten";
            case null, default -> {
                LOG.error("a counter could not be reset", failure);
                yield "the service made a mistake, and its log says more; nobody knows whether it is forgotten";
            }
        };
    }

    private record Order(String name, CompletableFuture<Boolean> done) {}
}
