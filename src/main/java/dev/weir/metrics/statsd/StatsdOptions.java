package dev.weir.metrics.statsd;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server of statsd that is told what is counted, and how.
 *
 * @param host its host
 * @param port its port
 * @param isUdp whether it is told by UDP, not by TCP
 * @param isDog whether it knows DogStatsD's tags
 * @param datadogTags of all that DogStatsD is told, before the others, in order
 * @param tags of every name
 * @param mogrifiers change names for DogStatsD; the first that fits is taken
 * @param flush how often it is told
 */
public record StatsdOptions(
        String host,
        int port,
        boolean isUdp,
        boolean isDog,
        Map<String, String> datadogTags,
        Map<String, String> tags,
        List<Mogrifier> mogrifiers,
        Duration flush) {}
