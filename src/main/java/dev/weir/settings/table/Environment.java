package dev.weir.settings.table;

import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/** The variables of the process, read by the table's rows; wrong ones are collected, so that all are told at once. */
public final class Environment {
    private final Map<String, String> variables;

    /** By variable, so that one that is read twice is told once. */
    private final Map<String, String> mistakes = new TreeMap<>();

    /** Creates a reader of variables by their names. */
    public Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** Returns the setting's value; its default where it is not set or wrong, in which case the mistake is kept. */
    public <T> T read(Setting<T> setting) {
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
    public void contradict(Setting<?> setting, String advice) {
        mistakes.putIfAbsent(
                setting.name(), sentence(setting, variables.getOrDefault(setting.name(), setting.preset()), advice));
    }

    /** Returns whether a variable is set, to whatever. */
    public boolean isSet(String name) {
        return variables.containsKey(name);
    }

    /**
     * Ends the reading.
     *
     * @throws SettingsException with every mistake that was kept
     */
    public void throwMistakes() throws SettingsException {
        if (!mistakes.isEmpty()) {
            throw new SettingsException(new ArrayList<>(mistakes.values()));
        }
    }

    private static String sentence(Setting<?> setting, String text, String advice) {
        return setting.name() + " is " + (text.isEmpty() ? "empty" : setting.shown(text)) + ": " + advice + ".";
    }
}
