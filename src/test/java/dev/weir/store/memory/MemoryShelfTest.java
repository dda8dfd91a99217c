package dev.weir.store.memory;

import dev.weir.store.Shelf;
import dev.weir.store.ShelfContract;

final class MemoryShelfTest implements ShelfContract {
    private final MemoryShelf shelf = new MemoryShelf();

    @Override
    public Shelf shelf() {
        return shelf;
    }
}
