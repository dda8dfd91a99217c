package dev.weir.bench.load;

import java.util.SplittableRandom;

/** Which key each request asks for, by its number. */
public sealed interface Keys permits Keys.One, Keys.Uniform, ZipfKeys {

    /** Returns how many keys there are, numbered from 0. */
    int count();

    /** Returns the number of the next key. */
    int draw(SplittableRandom random);

    /** Always the same one. */
    record One() implements Keys {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public int draw(SplittableRandom random) {
            return 0;
        }
    }

    /**
     * Each as often as any other.
     *
     * @param count at least 1
     */
    record Uniform(int count) implements Keys {
        /** Checks the number. */
        public Uniform {
            if (count < 1) {
                throw new IllegalArgumentException("keys must be at least 1, not " + count);
            }
        }

        @Override
        public int draw(SplittableRandom random) {
            return random.nextInt(count);
        }
    }
}
