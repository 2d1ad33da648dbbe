package dev.madt.view.parquet;

/**
 * Holds what columns say of the calls that a thread is in, and its number in a row group.
 */
final class CallCell extends GroupCell {
    /** The functions, the outermost first; null: unknown. */
    final String path;
    /** The last entry or exit, in nanoseconds since the recording began; null: unknown. */
    final Long time;

    CallCell(String path, Long time) {
        this.path = path;
        this.time = time;
    }
}
