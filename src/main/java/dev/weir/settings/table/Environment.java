package dev.weir.settings.table;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The variables of the process, read by the table's rows; wrong ones are collected, so that all are told at once. */
public final class Environment {
    private final Map<String, String> variables;

    /** By variable, so that one that is read twice is told once. */
    private final Map<String, Mistake> mistakes = new TreeMap<>();

    /** By variable, as above. */
    private final Map<String, String> remarks = new TreeMap<>();

    private record Mistake(Feature feature, String sentence) {}

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
            mistakes.put(setting.name(), mistake(setting, text, wrong.advice()));
            return setting.fallback();
        }
    }

    /** Keeps the mistake that two settings, each right in itself, do not go together. */
    public void contradict(Setting<?> setting, String advice) {
        mistakes.putIfAbsent(
                setting.name(), mistake(setting, variables.getOrDefault(setting.name(), setting.preset()), advice));
    }

    /** Keeps the mistake that a setting is not set, and must be, though what stands for it is allowed. */
    public void missing(Setting<?> setting, String advice) {
        mistakes.putIfAbsent(setting.name(), new Mistake(setting.feature(), setting.name() + " is not set: " + advice));
    }

    /** Keeps what is to be told of a setting that is right, but does less than its text says. */
    public void remark(Setting<?> setting, String what) {
        remarks.putIfAbsent(
                setting.name(), sentence(setting, variables.getOrDefault(setting.name(), setting.preset()), what));
    }

    /** Returns the lines of {@link #remark}, without a full stop. To be called when all was read. */
    public List<String> remarks() {
        return List.copyOf(remarks.values());
    }

    /** Returns whether a setting was read, and is wrong, so that its default stands for it. */
    public boolean isWrong(Setting<?> setting) {
        return mistakes.containsKey(setting.name());
    }

    /** Returns whether a variable is set, to whatever. */
    public boolean isSet(String name) {
        return variables.containsKey(name);
    }

    /** Returns the names of all variables that are set, whoever they are for. */
    public Set<String> names() {
        return Set.copyOf(variables.keySet());
    }

    /** Returns whether a variable is set to more than nothing. */
    public boolean isGiven(Setting<?> setting) {
        return !variables.getOrDefault(setting.name(), "").isEmpty();
    }

    /**
     * Forgets the mistakes in variables of these features, which are off. To be called when all was read, and before
     * {@link #throwMistakes}.
     *
     * @return a line for each of them, without a full stop
     */
    public List<String> pardon(Set<Feature> off) {
        var pardoned = mistakes.values().stream()
                .filter(mistake -> off.contains(mistake.feature()))
                .map(mistake -> mistake.sentence() + "; not used, for "
                        + mistake.feature().whyOff())
                .toList();
        mistakes.values().removeIf(mistake -> off.contains(mistake.feature()));
        return pardoned;
    }

    /**
     * Ends the reading.
     *
     * @throws SettingsException with every mistake that was kept
     */
    public void throwMistakes() throws SettingsException {
        if (!mistakes.isEmpty()) {
            throw new SettingsException(mistakes.values().stream()
                    .map(mistake -> mistake.sentence() + ".")
                    .toList());
        }
    }

    private static Mistake mistake(Setting<?> setting, String text, String advice) {
        return new Mistake(setting.feature(), sentence(setting, text, advice));
    }

    private static String sentence(Setting<?> setting, String text, String advice) {
        String shown = text.isEmpty() ? "empty" : setting.shown(text);
        return setting.name() + " is " + shown + ": " + advice;
    }
}
