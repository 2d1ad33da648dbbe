package dev.madt.view.overview;

import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.NamedEvent;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.defects.Defect;
import dev.madt.view.defects.DefectRules;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.LinkCells;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything that the page of {@code madt view} shows, counted in one pass. Memory grows with the
 * rows, the pages touched and the live blocks, as a report's and a heatmap's does; not with the
 * accesses.
 */
public final class Overview implements Analysis {
    private static final int PAGE_BITS = 12;

    private final Links links = new Links();
    private final Report sites = new Report(ReportKey.SITE, false);
    private final Heat heat = new Heat(PAGE_BITS, new HeatSelection(true, true, null, -1), false);
    private final LinkCells cells = new LinkCells(heat);
    private final Map<String, String> meta = new LinkedHashMap<>();
    private final Map<Character, Long> others = new TreeMap<>();
    private long transfers;
    private boolean complete = true;
    private boolean wrongFree;
    private boolean crashed;
    private Neighbours space;
    private Table defects;
    private String unlooked = "";
    private Table types;
    private Table members;
    private List<Table> together;
    private List<String> lacking = List.of();

    @Override
    public void meta(Map<String, String> values) {
        meta.putAll(values);
        sites.meta(values);
        heat.meta(values);
    }

    @Override
    public void mapped(RegionKind kind, long start, long end, String label) {
        heat.mapped(kind, start, end, label);
    }

    @Override
    public void accesses(Accesses batch) {
        sites.accesses(batch);
        heat.accesses(batch);
        for (int i = 0; i < batch.count(); i++) {
            PlaceUse use = links.count(batch, i);
            cells.access(use.link().index(), batch.address(i), batch.first() + i, 1);
        }
    }

    @Override
    public Needs needs() {
        Needs ofSites = sites.needs();
        return ofSites.counting(new OverviewCounter(links, ofSites.counter(), heat, cells))
                .living(null)
                .keeping(links.notes())
                .keeping(heat.notes());
    }

    @Override
    public void block(BlockAccess event) {
        links.count(event);
        sites.block(event);
        heat.block(event);
        transfer(event, event.target(), event.to());
        if (event.kind() == BlockKind.COPY) {
            transfer(event, event.source(), event.from());
        }
        transfers++;
        links.ofThread(event.thread());
        others.merge(event.kind().letter(), 1L, Long::sum);
    }

    private void transfer(BlockAccess event, DataObject object, long address) {
        int link = links.indexOf(event.place(), object, event.thread());
        cells.transfer(link, address, event.reach(), event.number());
    }

    @Override
    public void allocation(Allocation event) {
        wrongFree |= DefectRules.wrongFree(event.event()) != null;
        sites.allocation(event);
        others.merge(event.event().letter(), 1L, Long::sum);
    }

    @Override
    public void inherited(DataObject block, long size) {
        sites.inherited(block, size);
    }

    @Override
    public void event(NamedEvent event) {
        others.merge(event.event().type().letter(), 1L, Long::sum);
    }

    @Override
    public void neighbours(Neighbours of) {
        space = of;
    }

    @Override
    public void ring(TraceEvent event) {
        crashed |= DefectRules.isCrashAfterEnd(event, space);
        links.ofThread(event.thread());
    }

    @Override
    public void lost(DataObject site, long size, long note) {
        sites.lost(site, size, note);
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        sites.replaced(site, life, next);
    }

    @Override
    public void end(boolean whole) {
        complete = whole;
        links.settle();
        sites.end(whole);
    }

    Links links() {
        return links;
    }

    Heat heat() {
        return heat;
    }

    /** Returns what of the heatmap is of which link. */
    LinkCells cells() {
        return cells;
    }

    Table sites() {
        return sites.table(0);
    }

    /** Takes what somebody has counted by types, and by their members. */
    public void types(Table byType, Table byMember) {
        types = byType;
        members = byMember;
    }

    /** Returns rows of types; null if nobody has counted them. */
    Table types() {
        return types;
    }

    /** Returns rows of members of types; null if nobody has counted them. */
    Table members() {
        return members;
    }

    /**
     * Takes what somebody has found that threads do to each other.
     *
     * @param lacks why tables are missing, a sentence each
     */
    public void together(List<Table> tables, List<String> lacks) {
        together = List.copyOf(tables);
        lacking = List.copyOf(lacks);
    }

    /** Returns tables of what threads do to each other; null if nobody has looked for that. */
    List<Table> together() {
        return together;
    }

    /** Returns why some of {@link #together} are missing, a sentence each. */
    List<String> lacking() {
        return lacking;
    }

    /** Returns what the page shows as defects; null as long as nobody has looked for them. */
    Table defects() {
        return defects;
    }

    /** Returns what nobody could look for; empty if nothing. */
    String unlooked() {
        return unlooked;
    }

    /**
     * Takes what somebody has found who looked for all kinds of defects.
     *
     * @param lacking what could not be looked for; empty if nothing
     */
    public void defects(List<Defect> found, String lacking) {
        defects = DefectRows.of(found);
        unlooked = lacking;
    }

    /**
     * Returns whether something was seen that is a defect by {@link DefectRules}, or may be one: an
     * access to a block after its end, an access to a heap but to none of its blocks, the free of
     * something else than a block.
     */
    public boolean isSuspicious() {
        return wrongFree || crashed || sites.isSuspicious() || links.leadOutOfBlocks();
    }

    /** Returns what the trace says about the run; empty if it does not. */
    String meta(String key) {
        return meta.getOrDefault(key, "");
    }

    /** Returns whether the trace has its end. */
    boolean isComplete() {
        return complete;
    }

    /** Returns whether several threads did something that the trace holds. */
    public boolean hasThreads() {
        return links.threads().size() > 1;
    }

    /** Loads and stores by thread, in the order in which threads came. */
    Map<Integer, long[]> threads() {
        return links.threads();
    }

    /**
     * Returns how many lines of the kinds that are neither loads nor stores there are, by letter.
     */
    Map<Character, Long> others() {
        return others;
    }

    /** Loads, stores and bulk transfers. */
    public long events() {
        return loads() + stores() + transfers;
    }

    long loads() {
        return sum(0);
    }

    long stores() {
        return sum(1);
    }

    private long sum(int column) {
        return links.threads().values().stream()
                .mapToLong(thread -> thread[column])
                .sum();
    }

    long transfers() {
        return transfers;
    }
}
