package dev.madt.session;

/**
 * Says what the session page tells the targets of a recording (madt_layout.h).
 *
 * @param engine a value of {@code enum madt_engine}
 * @param windows when something is recorded
 * @param flags {@code MADT_SESSION_*}
 * @param maxEvents events after which a process records no more; 0: no limit
 * @param scope {@code MADT_SCOPE_*}
 * @param quarantine bytes of freed blocks that are kept back from the allocator; 0: none
 * @param chain calls of the chain of an allocation that are told, at most; below 2: no chains
 * @param instruments memory that is shared for these
 * @param programs patterns of the programs that are recorded, each with a NUL, and a NUL behind the
 *     last; null: all programs are recorded
 */
public record SessionSettings(
        int engine,
        Windows windows,
        int flags,
        long maxEvents,
        int scope,
        long quarantine,
        int chain,
        InstrumentMemory instruments,
        byte[] programs) {}
