package dev.weir.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The variables of the process, read by the table's rows; wrong ones are collected, so that all are told at once. */
final class Environment {
    private final Map<String, String> variables;

    /** By variable, so that one that is read twice is told once. */
    private final Map<String, String> mistakes = new TreeMap<>();

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** Returns the setting's value; its default where it is not set or wrong, in which case the mistake is kept. */
    <T> T read(Setting<T> setting) {
        String text = variables.get(setting.name());
        if (text == null) {
            return setting.fallback();
        }
        try {
            return setting.kind().parse(text);
        } catch (WrongValueException wrong) {
            mistakes.put(setting.name(), sentence(setting, text, wrong.advice()));
            return setting.fallback();
        }
    }

    /** Keeps the mistake that two settings, each right in itself, do not go together. */
    void contradict(Setting<?> setting, String advice) {
        mistakes.putIfAbsent(
                setting.name(), sentence(setting, variables.getOrDefault(setting.name(), setting.preset()), advice));
    }

    boolean isSet(String name) {
        return variables.containsKey(name);
    }

    /** Returns whether a variable of Redis is set; only names of the tables count, Kubernetes injects others. */
    boolean namesRedis() {
        return SettingsTable.all().stream().map(Setting::name).anyMatch(this::isSetForRedis)
                || UnusedSettings.NAMES.stream().anyMatch(this::isSetForRedis);
    }

    private boolean isSetForRedis(String name) {
        return name.startsWith("REDIS_") && isSet(name);
    }

    void throwMistakes() throws SettingsException {
        if (!mistakes.isEmpty()) {
            throw new SettingsException(new ArrayList<>(mistakes.values()));
        }
    }

    List<String> unused() {
        return UnusedSettings.NAMES.stream().filter(this::isSet).sorted().toList();
    }

    private static String sentence(Setting<?> setting, String text, String advice) {
        return setting.name() + " is " + (text.isEmpty() ? "empty" : setting.shown(text)) + ": " + advice + ".";
    }
}
