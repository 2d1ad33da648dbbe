package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.RecordedLives;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.NamedEvent;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import dev.madt.view.defects.DefectRules;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The totals of a trace by one key, hottest first. Memory grows with the rows, the pages touched
 * and, by allocation site, with the live blocks; not with the accesses.
 */
public final class Report implements Analysis {
    private static final Comparator<Tally> HOTTEST = Comparator.comparingLong(Tally::accesses)
            .thenComparingLong(Tally::blockBytes)
            .reversed()
            .thenComparing(Tally::label);

    /** Says where an instruction was last, for strides. */
    private static final class Step {
        private Tally row;
        private long address;
    }

    private final List<ReportKey> keys;
    private final boolean members;
    private final Grouping grouping;
    private final PlaceCounts counts;
    private final Defects defects = new Defects();
    private final ReuseDistance reuse;
    private final List<Step> steps = new ArrayList<>();
    private final Map<String, Long> events = new TreeMap<>();
    private final ThreadNames threads = new ThreadNames();
    private long loads;
    private long stores;
    private long bytes;
    /** Why it is not known what nobody accesses; null if it is. */
    private String doubt;

    private boolean calls;
    private boolean crashed;
    private long bulkTransfers;
    private long blockBytes;
    private long next;
    private Neighbours space;

    /**
     * @param patterns whether strides and reuse distances are counted, which takes several times as
     *     long
     */
    public Report(ReportKey key, boolean patterns) {
        this(key, patterns, null);
    }

    /**
     * @param patterns whether strides and reuse distances are counted, which takes several times as
     *     long
     * @param types splits rows of variables and blocks into rows of their members; null: they stay
     *     whole
     */
    public Report(ReportKey key, boolean patterns, MemberTypes types) {
        this(List.of(key), patterns, types);
    }

    /** As above, by several keys: the first of data is that of the members. */
    public Report(List<ReportKey> keys, boolean patterns, MemberTypes types) {
        this(keys, patterns, types, false);
    }

    /**
     * As above.
     *
     * @param calls whether the traces have calls: then accesses of libraries are charged to the
     *     lines of the functions that called them
     */
    public Report(List<ReportKey> keys, boolean patterns, MemberTypes types, boolean calls) {
        this.keys = types == null ? keys : ReportKey.withData(keys);
        this.members = types != null;
        this.grouping = Grouping.by(this.keys, types, calls);
        this.reuse = patterns ? new ReuseDistance(ReuseDistance.MOST) : null;
        this.counts = !patterns && grouping.isByName() ? new PlaceCounts(grouping) : null;
    }

    /**
     * Not all accesses to the data will come: then it is not known which blocks nobody accesses.
     */
    public Report partial() {
        doubt = "the selection leaves out accesses";
        return this;
    }

    /** Makes one report of several processes, whose events come one process after another. */
    public Report joined() {
        grouping.join(true);
        return this;
    }

    @Override
    public void meta(Map<String, String> values) {
        threads.take(values.getOrDefault(ThreadNames.KEY, ""));
        calls |= values.containsKey("calls");
        doubt = doubt == null ? RecordedLives.doubt(values) : doubt;
        if (values.containsKey("program")) {
            grouping.process(values.getOrDefault("pid", "?"), values.get("program"));
        }
    }

    /** Strides, pages and threads need batches. */
    @Override
    public Needs needs() {
        Needs needs = grouping.needs();
        return counts == null ? needs : needs.counting(counts).keeping(counts.notes());
    }

    @Override
    public void accesses(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            grouping.of(batch, i).access(batch.address(i), batch.size(i), batch.store(i));
        }
        if (reuse != null) {
            patterns(batch);
        }
        if (batch.defective()) {
            defects.look(batch);
        }
        next = batch.first() + batch.count();
    }

    private void patterns(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            pattern(grouping.of(batch, i), batch.place(i), batch.address(i));
        }
    }

    private void pattern(Tally tally, Place place, long address) {
        Pattern pattern = tally.countedPattern();
        pattern.reuse(reuse.access(address >>> TouchedLines.LINE_BITS));
        Step step = step(place.index());
        if (step.row == tally) {
            pattern.stride(address - step.address);
        }
        step.row = tally;
        step.address = address;
    }

    private Step step(int index) {
        while (steps.size() <= index) {
            steps.add(new Step());
        }
        return steps.get(index);
    }

    @Override
    public void block(BlockAccess event) {
        Tally to = grouping.of(event, event.target(), event.to());
        to.block(event.to(), event.length(), event.reach());
        if (event.kind() == BlockKind.COPY) {
            Tally from = grouping.of(event, event.source(), event.from());
            if (from == to) {
                to.touchBlock(event.from(), event.reach());
            } else {
                from.block(event.from(), event.length(), event.reach());
            }
        }
        bulkTransfers++;
        blockBytes += event.length();
        defects.look(event);
        next = event.number() + 1;
    }

    @Override
    public void allocation(Allocation event) {
        grouping.allocation(event);
    }

    @Override
    public void event(NamedEvent event) {
        events.merge(event.event().type().name(), 1L, Long::sum);
    }

    @Override
    public void neighbours(Neighbours of) {
        space = of;
        grouping.neighbours(of);
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        grouping.call(thread, place, stack);
    }

    @Override
    public void ring(TraceEvent event) {
        threads.take(event);
        crashed |= DefectRules.isCrashAfterEnd(event, space);
        grouping.ring(event);
    }

    @Override
    public void inherited(DataObject block, long size) {
        grouping.inherited(block, size);
    }

    @Override
    public void lost(DataObject site, long size, long note) {
        grouping.lost(site, size, note);
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        grouping.replaced(site, life, next);
    }

    @Override
    public void end(boolean complete) {
        if (counts != null) {
            counts.settle();
        }
        grouping.end(next);
        next = 0;
        loads = 0;
        stores = 0;
        bytes = 0;
        for (Tally row : grouping.rows()) {
            loads += row.loads();
            stores += row.stores();
            bytes += row.bytes();
        }
    }

    /** The rows; {@code top} of them at most, 0: all. */
    public Table table(int top) {
        List<Tally> rows = new ArrayList<>(grouping.rows());
        Tally rest = grouping.rest();
        rows.removeIf(row -> row == rest || isEmpty(row) && siteOf(row) == null);
        rows.sort(HOTTEST);
        return new ReportTable(keys, this, reuse != null, members)
                .of(
                        top > 0 && top < rows.size() ? rows.subList(0, top) : rows,
                        rows,
                        rest == null || isEmpty(rest) ? null : rest);
    }

    private static boolean isEmpty(Tally row) {
        return row.accesses() + row.blocks() == 0;
    }

    /** Returns what the thread with a number is called, or null. */
    String threadName(String number) {
        return threads.of(Integer.parseUnsignedInt(number));
    }

    Collection<Tally> rows() {
        return grouping.rows();
    }

    /** Returns what the code of the program itself is called among the modules. */
    String ownModule() {
        return '[' + grouping.program() + ']';
    }

    SiteTally siteOf(Tally row) {
        return grouping instanceof SiteGrouping sites ? sites.site(row) : null;
    }

    /** Blocks that nobody accesses; null if that is not counted. */
    UntouchedBlocks untouched() {
        return doubt == null ? grouping.untouched() : null;
    }

    /** Returns whether it is to tell what nobody accesses, where that is known. */
    boolean tellsUntouched() {
        return grouping instanceof SiteGrouping || grouping.untouched() != null;
    }

    /** Why it is not known which bytes of blocks nobody accesses; null if it is. */
    String doubt() {
        return doubt;
    }

    /** Returns how many events there are that are printed by their words alone, by type. */
    Map<String, Long> events() {
        return events;
    }

    /** Accesses to blocks after their end. */
    public Table defectTable() {
        return DefectTable.of(defects);
    }

    /** Accesses to dead blocks that are bugs of the program beyond doubt. */
    public long deadAccesses() {
        return defects.accesses();
    }

    /**
     * Returns whether there are accesses to dead blocks that are bugs of the program, or may be.
     */
    public boolean isSuspicious() {
        return crashed || defects.isAny();
    }

    /** Returns whether calls were recorded too, or they alone. */
    public boolean isOfCalls() {
        return calls;
    }

    public long loads() {
        return loads;
    }

    public long stores() {
        return stores;
    }

    /** Bytes of loads and stores. */
    public long bytes() {
        return bytes;
    }

    /** Bulk transfers, each once, whereas a copy from one row to another counts in both. */
    public long bulkTransfers() {
        return bulkTransfers;
    }

    /** The bytes that they were to move, store or fetch. */
    public long blockBytes() {
        return blockBytes;
    }

    /** Distinct cache lines that were touched. */
    long lines() {
        return grouping.lines();
    }

    /** Distinct pages that were touched. */
    long pages() {
        return grouping.pages();
    }
}
