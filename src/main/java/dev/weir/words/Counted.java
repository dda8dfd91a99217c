package dev.weir.words;

/** Things with their number. */
public final class Counted {
    private Counted() {}

    /** Returns the number and the thing, as in {@code 1 file} and {@code 2 files}; its plural is the word with an s. */
    public static String of(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
