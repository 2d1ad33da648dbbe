package dev.madt.view.top;

/**
 * Says how often something was accessed or has accessed.
 *
 * @param key what is equal of rows that count the same thing
 * @param besides what tells it apart from others of the name; empty if nothing does
 */
public record TopRow(String key, String name, String besides, long loads, long stores) {
    /** The same row, told apart by something else. */
    TopRow besides(String other) {
        return new TopRow(key, name, other, loads, stores);
    }

    /** Loads and stores; a modify is both. */
    public long accesses() {
        return loads + stores;
    }

    TopRow plus(TopRow more) {
        return new TopRow(key, more.name, besides, loads + more.loads, stores + more.stores);
    }

    TopRow minus(TopRow less) {
        return new TopRow(key, name, besides, loads - less.loads, stores - less.stores);
    }
}
