package dev.weir.store.redis.failure;

import dev.weir.linux.SystemErrors;
import dev.weir.store.StoreException;
import dev.weir.words.OneLine;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.handler.CommandDecoder;

/**
 * What Redis, the network or a certificate said, for the operator. Redisson's own words are left out: they hold the command
 * with its keys, and so the values of people.
 */
public final class FailureWords {
    private static final String OF_REDISSON = ". channel:";
    private static final String CROSS_SLOT = "CROSSSLOT";
    private static final String TRY_AGAIN = "TRYAGAIN";
    private static final String READ_ONLY = ": READONLY ";
    private static final String SLOW =
            "it takes connections and does not answer in time; is REDIS_TLS right, or is it busy or far away (STORE_TIMEOUT)?";

    /** What Redis says to who connects with a password that it does not know, or without one. */
    private static final List<String> OF_PASSWORD = List.of("NOAUTH ", "WRONGPASS ", "ERR invalid password");

    /**
     * Where Redis, or who speaks as it does, repeats the arguments of a command that it does not know; or a key of ours, in which the
     * hash tag comes before all that callers say.
     */
    private static final Pattern REPEATED = Pattern.compile(",? with args |[{\\p{Cntrl}]");

    /** Newer ones name the user. */
    private static final Pattern USER = Pattern.compile("\\bUser \\S+ has no permissions");

    private static final String TOO_MANY = "ERR max number of clients";
    private static final String NO_RIGHT = "NOPERM ";

    /** What Redisson says where no sentinel named a master, or no node of a cluster described it. Its cause says why, if there is one. */
    private static final String NO_MASTER = "Can't connect to servers";

    private static final String ALERT = "Received fatal alert: ";

    private FailureWords() {}

    /** Returns why no connection was made. */
    public static String whyNot(Throwable failure) {
        return isTimeout(failure) ? SLOW : of(failure);
    }

    /** Returns whether what was told of a failure is that a connection was not made in time. */
    public static boolean isSlow(StoreException told) {
        return String.valueOf(told.getMessage()).endsWith(SLOW);
    }

    /** Returns the words that a failure began with. */
    public static String of(Throwable failure) {
        Throwable root = rootOf(failure);
        if (isNoReply(root)) {
            return "what answers there does not speak Redis's protocol";
        }
        if (isOfName(failure)) {
            return "there is no such host, or DNS does not answer";
        }
        String message = messageOf(failure);
        int end = message.indexOf(OF_REDISSON);
        if (end >= 0) {
            return answered(message.substring(0, end));
        }
        return switch (root) {
            // The last two are of another authority with the name of one that is trusted.
            case CertPathBuilderException _,
                    CertPathValidatorException _,
                    SignatureException _,
                    InvalidKeyException _ ->
                "its certificate is not signed by an authority that is trusted here (REDIS_TLS_CACERT)";
            case CertificateExpiredException _ -> "its certificate has expired (" + message + ")";
            case CertificateNotYetValidException _ -> "its certificate is not valid yet (" + message + ")";
            case CertificateException _ -> "its certificate is for another name: " + message;
            case SSLException _
            when message.contains(ALERT) ->
                "it broke the TLS handshake off ("
                        + message.substring(message.indexOf(ALERT) + ALERT.length())
                        + "), most likely for want of a certificate that it trusts (REDIS_TLS_CLIENT_CERT)";
            case SSLException _ when message.contains("not an SSL/TLS record") -> "it does not speak TLS there";
            // What Netty throws into a connection that ended, and it says nothing.
            case ClosedChannelException _ -> "the connection was closed";
            case FileNotFoundException _ -> "there is no such socket (REDIS_URL, or REDIS_PERSECOND_URL)";
            case IOException _ when !message.isEmpty() -> SystemErrors.words(message);
            default -> ofRedisson(root, message);
        };
    }

    /**
     * Returns the same where sentinels are asked before Redis: they have passwords of their own, so who refuses us is told.
     *
     * @param hasPassword whether there is one for the sentinels
     */
    public static String withSentinels(Throwable failure, boolean hasPassword) {
        String message = messageOf(failure);
        if (message.startsWith(NO_MASTER)) {
            return "none of the sentinels that REDIS_URL names tells of a master, or DNS does not know their names";
        }
        boolean isOfPassword = OF_PASSWORD.stream().anyMatch(message::startsWith);
        if (!isOfPassword && !message.startsWith(TOO_MANY) && !message.startsWith(NO_RIGHT)) {
            return of(failure);
        }
        boolean isOfSentinels = causes(failure)
                .anyMatch(cause -> String.valueOf(cause.getMessage()).startsWith(NO_MASTER));
        if (isOfSentinels && isOfPassword && !hasPassword) {
            return "the sentinels want a password (REDIS_SENTINEL_AUTH)";
        }
        String variable = isOfSentinels ? " (REDIS_SENTINEL_AUTH)" : " (REDIS_AUTH)";
        return "refused by the " + (isOfSentinels ? "sentinels" : "master") + (isOfPassword ? variable : "") + ": "
                + of(failure);
    }

    /**
     * Returns what Redis answered, without what it repeats of the call, and with what to do about it where it was taken for a node of
     * a cluster or for a sentinel, or where a user lacks a right that the script needs: Redis does not say which.
     */
    public static String answered(String answer) {
        String words = REPEATED.split(answer, 2)[0];
        return withRemedy(OneLine.of(USER.matcher(words).replaceFirst("this user has no permissions")));
    }

    private static String withRemedy(String answer) {
        if (answer.contains("user executing the script can't run this command")) {
            return answer + "; `ACL LOG` names it, and docs/redis.md all that the user needs";
        }
        if (answer.contains("cluster support disabled")) {
            return answer + "; it is none, so leave REDIS_TYPE=CLUSTER out";
        }
        return answer.contains("unknown command")
                        && answer.toUpperCase(Locale.ROOT).contains("SENTINEL")
                ? "it is no sentinel; with REDIS_TYPE=SENTINEL the addresses of REDIS_URL are those of sentinels"
                : answer;
    }

    /** These are fixed texts of Redisson, about its way to the master and not about a command. */
    private static String ofRedisson(Throwable root, String message) {
        if (message.startsWith("Master node is undefined")) {
            return "the sentinels watch no master of that name";
        }
        if (message.startsWith("UDS is supported only")) {
            return "a Unix socket is spoken to on Linux only";
        }
        if (message.startsWith(NO_MASTER)) {
            return "none of those that REDIS_URL names answers as it should, DNS does not know their names, or the nodes of a cluster do"
                    + " not know their own addresses (cluster-announce-ip)";
        }
        return message.startsWith("Unable to connect to Redis sentinel")
                ? "no sentinel answers, or DNS does not know their names"
                : root.getClass().getSimpleName();
    }

    /**
     * Returns whether a failure began where Redisson reads replies, with bytes that are none. It throws there whatever comes to
     * hand, and the bytes stand in the message.
     */
    static boolean isNoReply(Throwable root) {
        return !(root instanceof RedisException)
                && Arrays.stream(root.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                        .findFirst()
                        .filter(CommandDecoder.class.getName()::equals)
                        .isPresent();
    }

    /** What a resolver says of its questions may lie below. */
    private static boolean isOfName(Throwable failure) {
        return causes(failure).anyMatch(UnknownHostException.class::isInstance);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Returns whether a connection was not made, or not answered over, in time. */
    public static boolean isTimeout(Throwable failure) {
        Throwable root = rootOf(failure);
        return root instanceof TimeoutException
                || root instanceof RedisTimeoutException
                || root instanceof SslHandshakeTimeoutException;
    }

    /** Returns whether a failure is what Redis answered, and not that nothing answers. */
    public static boolean isAnswer(Throwable failure) {
        return switch (rootOf(failure)) {
            case RedisTimeoutException _,
                    RedisConnectionException _,
                    RedisNodeNotFoundException _,
                    RedissonShutdownException _ -> false;
            case RedisException _ -> true;
            default -> false;
        };
    }

    /** Returns whether a failure is that Redis has refused the connection, which the next call would make again. */
    public static boolean isShutOut(Throwable failure) {
        String message = messageOf(failure);
        return isAnswer(failure)
                && (message.startsWith(TOO_MANY) || OF_PASSWORD.stream().anyMatch(message::startsWith));
    }

    /** Returns whether Redis refused a call as a whole because its keys live in different slots. */
    public static boolean isCrossSlot(Throwable failure) {
        return messageOf(failure).startsWith(CROSS_SLOT);
    }

    /** Returns whether Redis refused a call as a whole because a slot is moving and its keys are on two nodes. */
    public static boolean isTryAgain(Throwable failure) {
        return messageOf(failure).startsWith(TRY_AGAIN);
    }

    /** Returns whether what was told of a failure is that Redis is a replica, and takes no hits. */
    public static boolean isReadOnly(StoreException told) {
        return told.isAnswer() && String.valueOf(told.getMessage()).contains(READ_ONLY);
    }

    /** Returns whether a failure is one of Redis, of the network or of a certificate, and none of ours. */
    static boolean isTrouble(Throwable root) {
        return root instanceof RedisException
                || isNoReply(root)
                || root instanceof IOException
                || root instanceof GeneralSecurityException;
    }

    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Returns what the failure began with says, empty if that is nothing. */
    public static String messageOf(Throwable failure) {
        String message = rootOf(failure).getMessage();
        return message == null ? "" : message;
    }
}
