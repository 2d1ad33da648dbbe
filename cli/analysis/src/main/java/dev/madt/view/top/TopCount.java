package dev.madt.view.top;

/** Loads and stores of what has one name. */
final class TopCount {
    private final String key;
    private final String name;
    private final String besides;
    private long loads;
    private long stores;

    /**
     * Nothing so far.
     *
     * @param key what is equal of counts of the same thing
     * @param besides what tells it apart from others of the name
     */
    TopCount(String key, String name, String besides) {
        this.key = key;
        this.name = name;
        this.besides = besides;
    }

    void add(long moreLoads, long moreStores) {
        loads += moreLoads;
        stores += moreStores;
    }

    TopRow row() {
        return new TopRow(key, name, besides, loads, stores);
    }
}
