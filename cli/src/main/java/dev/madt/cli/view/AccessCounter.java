package dev.madt.cli.view;

/** Takes accesses as they are decoded, when a view only counts what is accessed from where and can do without batches. */
public interface AccessCounter {
    /**
     * An access to something that is not a block after its end. A modify is one call.
     *
     * @param number of the access, of a modify that of its load
     */
    void access(long number, int thread, Place place, Datum datum, long address);
}
