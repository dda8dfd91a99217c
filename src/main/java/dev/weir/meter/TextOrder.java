package dev.weir.meter;

import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Orders things by texts that are made of their names, letter by letter. Where two names part at a letter or a digit, so do the texts:
 * mostly neither needs to be made, and none is kept. For one thread at a time.
 */
public final class TextOrder<T> implements Comparator<T> {
    private final Function<T, String> name;
    private final BiConsumer<StringBuilder, T> text;
    private final StringBuilder oneText = new StringBuilder();
    private final StringBuilder otherText = new StringBuilder();

    /**
     * Creates the order.
     *
     * @param name of a thing
     * @param text appends a thing's text to an empty builder. It must copy the name's ASCII letters and digits unchanged and in
     *     place, or end before them; only other characters may become something else.
     */
    public TextOrder(Function<T, String> name, BiConsumer<StringBuilder, T> text) {
        this.name = name;
        this.text = text;
    }

    @Override
    public int compare(T one, T other) {
        String oneName = name.apply(one);
        String otherName = name.apply(other);
        int place = parting(oneName, otherName);
        if (isPlainAt(oneName, place) && isPlainAt(otherName, place)) {
            return Character.compare(oneName.charAt(place), otherName.charAt(place));
        }
        oneText.setLength(0);
        text.accept(oneText, one);
        otherText.setLength(0);
        text.accept(otherText, other);
        int order = oneText.compareTo(otherText);
        return order == 0 ? oneName.compareTo(otherName) : order;
    }

    private static int parting(String one, String other) {
        int end = Math.min(one.length(), other.length());
        int place = 0;
        while (place < end && one.charAt(place) == other.charAt(place)) {
            place++;
        }
        return place;
    }

    private static boolean isPlainAt(String name, int place) {
        return place < name.length() && isPlain(name.charAt(place));
    }

    /** Returns whether a character is a letter or a digit of ASCII. */
    public static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
