package dev.weir.settings.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The rows of one group of the table, in the order of its documentation. */
public final class Rows {
    private final Setting.Group group;
    private final Feature feature;
    private final List<Setting<?>> all;

    public Rows(Setting.Group group) {
        this(group, Feature.SERVICE, new ArrayList<>());
    }

    private Rows(Setting.Group group, Feature feature, List<Setting<?>> all) {
        this.group = group;
        this.feature = feature;
        this.all = all;
    }

    /** Returns the same rows; what is added by what is returned belongs to the feature. */
    public Rows of(Feature owner) {
        return new Rows(group, owner, all);
    }

    /**
     * Adds a row.
     *
     * @param name of the variable
     * @param preset the text that stands for it where it is not set
     * @param kind what its text may be
     * @param meaning what it is for, in one line
     */
    public <T> Setting<T> add(String name, String preset, Kind<T> kind, String meaning) {
        var setting = new Setting<>(group, feature, name, preset, kind, meaning);
        all.add(setting);
        return setting;
    }

    /** Returns the rows that were added. */
    public List<Setting<?>> all() {
        return Collections.unmodifiableList(all);
    }
}
