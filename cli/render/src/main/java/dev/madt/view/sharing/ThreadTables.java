package dev.madt.view.sharing;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Reading;
import dev.madt.view.locks.LockReport;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds what threads do to each other as several tables, which are those of {@code madt locks},
 * {@code sharing} and {@code races}: all of one pass.
 */
public final class ThreadTables {
    /** The other column says what those that are written and the picture tell: it has no room. */
    private static final List<String> LINES = SharingReport.headings(true).stream()
            .filter(heading -> !heading.equals(SharedLines.WHY))
            .toList();

    private final boolean locked;
    private final boolean shared;
    private final LockReport locks = lockReport(LockReport.Part.ROWS);
    private final LockReport waits = lockReport(LockReport.Part.WAITS);
    private final SharingReport sharing = new SharingReport();
    private final RaceReport races = new RaceReport();

    /**
     * @param locked whether the trace may hold locks
     * @param shared whether data that threads share, and races, are to be found, which takes longer
     *     than all the rest
     */
    public ThreadTables(boolean locked, boolean shared) {
        this.locked = locked;
        this.shared = shared;
    }

    private static LockReport lockReport(LockReport.Part part) {
        return new LockReport(part, LockReport.KEYS.get(0), null);
    }

    /** Adds what a trace tells. */
    public void addTo(Reading reading, MemberTypes types) {
        if (locked) {
            locks.addTo(reading, types);
            waits.addTo(reading, types);
        }
        if (shared) {
            sharing.addTo(reading, types);
        }
        if (locked && shared) {
            races.addTo(reading, types);
        }
    }

    private boolean hasLocks() {
        return locked && locks.isOfLocks();
    }

    private boolean hasAccesses() {
        return shared && sharing.isOfAccesses();
    }

    /**
     * Returns the tables that the trace has something to say of: {@code locks}, {@code waits},
     * {@code shared}, {@code lines} and {@code races}. Without locks everything that is shared
     * would look like a race.
     */
    public List<Table> tables() {
        List<Table> all = new ArrayList<>();
        if (hasLocks()) {
            all.add(locks.table(0, false));
            all.add(waits.table(0, false));
        }
        if (hasAccesses()) {
            all.add(sharing.table(false, false, 0));
            all.add(sharing.table(true, false, 0).only(LINES));
        }
        if (hasLocks() && hasAccesses()) {
            all.add(races.table(0));
        }
        return all;
    }

    /** Returns why tables are missing, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        if (!hasLocks()) {
            all.add("The trace has no locks: madt run --record accesses,locks records who waits for"
                    + " whom, what guards the data, how often lines move, and which accesses"
                    + " nothing orders.");
        }
        if (!shared) {
            all.add("The trace is too large for what threads share, and for races, on a page: madt"
                    + " sharing and madt races tell them.");
        } else if (!hasAccesses()) {
            all.add("The trace has no accesses: madt run --record accesses,locks records what"
                    + " threads share, and races.");
        }
        return all;
    }
}
