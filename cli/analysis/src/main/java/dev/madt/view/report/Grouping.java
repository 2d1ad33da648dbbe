package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ForgedName;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which row each event belongs to. Names are made once per place or data object; rows of equal
 * names are one.
 */
abstract class Grouping {
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private boolean joins;
    private String program = "";
    private long lines;
    private long pages;

    /**
     * @param types splits rows by data into rows of members, unless it is null
     * @param calls whether calls are recorded, by which more is known of lines
     */
    static Grouping by(List<ReportKey> keys, MemberTypes types, boolean calls) {
        boolean called = keys.contains(ReportKey.PATH) || calls && keys.contains(ReportKey.LINE);
        if (keys.size() > 1 || called || types != null && !keys.get(0).namesData()) {
            return new CrossGrouping(keys, types, called);
        }
        return types == null ? by(keys.get(0)) : MemberGrouping.by(keys.get(0), types);
    }

    private static Grouping by(ReportKey key) {
        return switch (key) {
            case SYMBOL -> new DataObjectGrouping(Grouping::commonName, true, true);
            case BLOCK -> new BlockGrouping();
            case TYPE ->
                new DataObjectGrouping((grouping, object) -> ReportKey.typeOf(object), false, true);
            case REGION -> new DataObjectGrouping(Grouping::region, false, true);
            case SITE -> new SiteGrouping();
            case FUNCTION -> new PlaceGrouping(Place::function, Place::module);
            case MODULE -> new PlaceGrouping(Place::module, place -> null);
            case PROCESS -> new ProcessGrouping();
            case PAGE -> new PageGrouping();
            case THREAD -> new ThreadGrouping();
            case PATH -> throw new IllegalStateException("paths need calls");
            case LINE -> new PlaceGrouping(Place::lineName, Place::lineFunction);
        };
    }

    abstract Tally of(Accesses batch, int row);

    /**
     * Returns whether place and data object say which row an access belongs to, as
     * {@link #of(Place, DataObject)} tells.
     */
    boolean isByName() {
        return false;
    }

    /** @throws UnsupportedOperationException unless {@link #isByName} */
    Tally of(Place place, DataObject object) {
        throw new UnsupportedOperationException(
                getClass().getSimpleName() + " needs more than names");
    }

    /**
     * Returns where the bytes of a data object that are accessed are noted; null if they are not.
     */
    TouchedBytes touched(DataObject object) {
        return null;
    }

    /**
     * The row of the memory at {@code address}, which is one side of the event and belongs to
     * {@code object}.
     */
    abstract Tally of(BlockAccess event, DataObject object, long address);

    void allocation(Allocation event) {}

    void inherited(DataObject block, long size) {}

    /** Whom to ask what lies beside an address. */
    void neighbours(Neighbours space) {}

    /** A function is entered or left. */
    void call(int thread, Place place, long stack) {}

    /** Any other event: a thread's start or end, a window of recording. */
    void ring(TraceEvent event) {}

    /** Mostly rows do not tell heap blocks of one call from each other. */
    Needs needs() {
        return Needs.BATCHES.bySite().living(BlockLives.UNHEEDED);
    }

    /** A block is gone of which no event said so, or there is no further event. */
    void lost(DataObject site, long size, long note) {}

    /** Another block has come where this one was. */
    void replaced(DataObject site, Allocation.Life life, long next) {}

    /**
     * Notes whether what comes is of one process among several: its names must not be taken for
     * those of another program.
     */
    void join(boolean several) {
        joins = several;
    }

    /** The process that the events are of. */
    void process(String pid, String path) {
        program = path.substring(path.lastIndexOf('/') + 1);
    }

    /** The program of the last process, without its folder; empty if no trace has said. */
    final String program() {
        return program;
    }

    /** Its events are at their end. */
    void end(long next) {
        TouchedLines all = new TouchedLines();
        tallies.values().forEach(row -> row.endProcess(all));
        lines += all.lines();
        pages += all.pages();
    }

    /**
     * Returns what blocks of one call share; with the module of the call where there are several
     * processes.
     */
    final String commonName(DataObject object) {
        if (!joins
                || object.kind() == DataObject.Kind.VARIABLE
                || object.kind() == DataObject.Kind.LOCAL) {
            return object.commonName();
        }
        return object.block() == null
                ? region(object)
                : ForgedName.common(
                        object.block().kind(),
                        bare(object.shownCall().module())
                                + ':'
                                + object.shownCall().siteName());
    }

    /**
     * The region; with the program where there are several processes, and it is the program's own.
     */
    final String region(DataObject object) {
        String region = object.region();
        return joins && region.startsWith("[.")
                ? '[' + program + ':' + region.substring(1)
                : region;
    }

    private static String bare(String module) {
        return module.startsWith("[") ? module.substring(1, module.length() - 1) : module;
    }

    Collection<Tally> rows() {
        return tallies.values();
    }

    /** The row of what takes no part in the order, or null. */
    Tally rest() {
        return null;
    }

    /** The blocks that nobody has accessed; null if that is not known. */
    UntouchedBlocks untouched() {
        return null;
    }

    /** Distinct lines of all rows, after the end. */
    final long lines() {
        return lines;
    }

    /** Distinct pages of all rows, after the end. */
    final long pages() {
        return pages;
    }

    /** The row of a name in a region, new if there is none; {@code region} may be null. */
    final Tally row(String name, String region) {
        String key = region == null ? name : name + '\n' + region;
        return tallies.computeIfAbsent(key, absent -> new Tally(name, region));
    }

    /** The row of several names, new if there is none. */
    final Tally rowOf(String... names) {
        return tallies.computeIfAbsent(String.join("\n", names), absent -> new Tally(names));
    }
}
