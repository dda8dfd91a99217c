package dev.weir;

import java.util.ArrayList;

/** Takes memory until there is none: stands in for a Weir that has too little. */
final class FullHeap {
    private static final int PIECE_BYTES = 1 << 20;

    private FullHeap() {}

    public static void main(String[] arguments) {
        var taken = new ArrayList<byte[]>();
        while (taken.size() < Integer.MAX_VALUE) {
            taken.add(new byte[PIECE_BYTES]);
        }
    }
}
