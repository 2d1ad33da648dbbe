package dev.madt.view.hottest;

/**
 * Holds what has one name among the data or in the code, and how often it was accessed or has
 * accessed.
 */
final class HotName {
    final String name;
    /**
     * Holds what a reader wants to know beside the name: type and line of data, the module of code;
     * empty if that is nothing.
     */
    final String note;

    private long accesses;

    HotName(String name, String note) {
        this.name = name;
        this.note = note;
    }

    void add(long more) {
        accesses += more;
    }

    /** Loads and stores; a modify is both. */
    long accesses() {
        return accesses;
    }
}
