package dev.madt.sql;

/**
 * Says what accesses that are counted together have in common, beside the instruction.
 *
 * @param data what they access
 * @param threads the thread
 */
record CountedBy(boolean data, boolean threads) {
    /** Returns what columns tell apart; null stands for one that has no values. */
    static CountedBy of(AccessColumn[] columns) {
        return new CountedBy(
                AccessColumn.any(columns, AccessColumn::isOfData),
                AccessColumn.any(columns, AccessColumn.THREAD::equals));
    }

    CountedBy and(CountedBy other) {
        return new CountedBy(data || other.data, threads || other.threads);
    }
}
