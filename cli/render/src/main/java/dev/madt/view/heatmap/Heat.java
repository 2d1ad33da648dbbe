package dev.madt.view.heatmap;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Counts how often each page was accessed, by which names, threads and when. A bulk transfer counts
 * once on each page that it touches. Memory grows with the pages touched and the names on them, not
 * with the accesses.
 */
public final class Heat implements Analysis {
    /**
     * Says how many cells are wanted: a page written as text or picture needs few; a page for a
     * browser shall stay below about 10 MB.
     */
    private static final int WANTED_CELLS = 200_000;

    private static final String OTHERS = "(others)";
    private static final int NOTHING = Transfers.NOTHING;

    private final int pageBits;
    private final HeatSelection selection;
    private final boolean named;
    private final HeatRegions regions = new HeatRegions();
    private final HeatCells cells = new HeatCells(WANTED_CELLS);
    private final RecentCells recent = new RecentCells();
    private final NameUses uses = new NameUses();
    private final Transfers transfers = new Transfers();
    private final LongIntHashMap pageIndexes = new LongIntHashMap();
    private final List<Long> pages = new ArrayList<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final Map<Integer, Integer> threads = new LinkedHashMap<>();
    private final Map<String, String> meta = new LinkedHashMap<>();
    private final Notes<Note> notes = new Notes<>();
    private final HeatCounter counter = new HeatCounter(this);
    private int lastThread;
    private int lastThreadIndex;
    private long lastPage = -1;
    private int lastIndex;
    private long end;

    /**
     * @param pageBits a page has 2 to the power of this many bytes
     * @param named whether names and threads are told apart
     */
    public Heat(int pageBits, HeatSelection selection, boolean named) {
        this.pageBits = pageBits;
        this.selection = selection;
        this.named = named;
    }

    @Override
    public void meta(Map<String, String> values) {
        meta.putAll(values);
        selection.thread().meta(values);
    }

    @Override
    public void ring(TraceEvent event) {
        selection.thread().ring(event);
    }

    @Override
    public void mapped(RegionKind kind, long start, long stop, String label) {
        regions.add(kind, start, stop, label);
    }

    @Override
    public void accesses(Accesses batch) {
        end = batch.first() + batch.count();
        if (!selection.thread(batch.thread())) {
            return;
        }
        int thread = threadIndex(batch.thread());
        int row = 0;
        while (row < batch.count()) {
            long time = batch.first() + row;
            recent.turnTo(thread, time, cells);
            // rows up to the end of the slice of time, unless time is made coarser
            int stop = (int) Math.min(batch.count(), recent.end() - batch.first());
            row = selection.all() && !named
                    ? countAll(batch, row, stop, thread)
                    : count(batch, row, stop, thread);
        }
    }

    /**
     * Counts rows of one slice of time; returns the first one that it did not count, since the
     * cells have moved.
     */
    private int count(Accesses batch, int from, int stop, int thread) {
        boolean loads = selection.loads();
        boolean stores = selection.stores();
        int moves = cells.moves();
        for (int i = from; i < stop; i++) {
            boolean store = batch.store(i);
            DataObject object = batch.object(i);
            if ((store ? stores : loads) && selected(object)) {
                long page = batch.address(i) >>> pageBits;
                int name = nameIndex(object);
                int slot = recent.find(page, name);
                cells.count(slot >= 0 ? slot : find(page, name, thread, batch.first() + i), store);
                if (named) {
                    uses.access(batch.place(i), name, store, 1);
                }
                if (slot < 0 && cells.moves() != moves) {
                    return i + 1;
                }
            }
        }
        return stop;
    }

    /** As {@link #count} where everything is selected and names do not matter. */
    private int countAll(Accesses batch, int from, int stop, int thread) {
        int moves = cells.moves();
        for (int i = from; i < stop; i++) {
            long page = batch.address(i) >>> pageBits;
            int slot = recent.find(page, 0);
            cells.count(
                    slot >= 0 ? slot : find(page, 0, thread, batch.first() + i), batch.store(i));
            if (slot < 0 && cells.moves() != moves) {
                return i + 1;
            }
        }
        return stop;
    }

    private int find(long page, int name, int thread, long time) {
        int slot = cells.slot(pageIndex(page), name, thread, time);
        recent.keep(slot, page, name);
        return slot;
    }

    /** Returns what is kept on places and data, whoever counts. */
    public List<Notes<?>> notes() {
        return List.of(notes, uses.notes());
    }

    @Override
    public Needs needs() {
        Needs needs = selection.symbol() == null ? Needs.BATCHES.bySite() : Needs.BATCHES;
        return needs.living(BlockLives.UNHEEDED)
                .counting(counter)
                .keeping(notes())
                .keeping(counter.notes());
    }

    /** The number behind the last access of the slice of time at hand. */
    public long sliceEnd() {
        return recent.end();
    }

    /** The trace is at its end: the number behind its last event. */
    public void endsAt(long next) {
        end = next;
    }

    /** Counts what an instruction does; a modify is a load and, one number later, a store. */
    public void access(Place place, DataObject object, long address, int tid, long number) {
        long page = address >>> pageBits;
        boolean load = place.kind() != AccessKind.STORE;
        if (load) {
            count(place, object, page, tid, number, false, 1);
        }
        if (place.kind() != AccessKind.LOAD) {
            count(place, object, page, tid, load ? number + 1 : number, true, 1);
        }
    }

    /** Counts what an instruction has done so many times, in one slice of time. */
    public void again(
            Place place, DataObject object, long address, int tid, long number, long times) {
        long page = address >>> pageBits;
        if (place.kind() != AccessKind.STORE) {
            count(place, object, page, tid, number, false, times);
        }
        if (place.kind() != AccessKind.LOAD) {
            count(place, object, page, tid, number, true, times);
        }
    }

    /** Counts accesses to a page, which are in one slice of time, if they are selected. */
    private void count(
            Place place,
            DataObject object,
            long page,
            int tid,
            long time,
            boolean store,
            long times) {
        if (!selection.thread(tid)
                || !(store ? selection.stores() : selection.loads())
                || !selected(object)) {
            return;
        }
        int thread = threadIndex(tid);
        recent.turnTo(thread, time, cells);
        int name = nameIndex(object);
        int slot = recent.find(page, name);
        cells.count(slot >= 0 ? slot : find(page, name, thread, time), store, times);
        if (named) {
            uses.access(place, name, store, times);
        }
    }

    @Override
    public void block(BlockAccess event) {
        end = event.number() + 1;
        if (!selection.thread(event.thread())) {
            return;
        }
        boolean copy = event.kind() == BlockKind.COPY;
        int read = NOTHING;
        int written = NOTHING;
        if (copy || event.kind() == BlockKind.FETCH) {
            read = touch(
                    event,
                    copy ? event.source() : event.target(),
                    copy ? event.from() : event.to(),
                    false);
        }
        if (event.kind() != BlockKind.FETCH) {
            written = touch(event, event.target(), event.to(), true);
        }
        if (named && (read != NOTHING || written != NOTHING)) {
            transfers.count(read, written, threadIndex(event.thread()), event.number());
        }
    }

    /**
     * Counts one side of a bulk transfer; the name that it touches, or {@link #NOTHING} if it is
     * not selected.
     */
    private int touch(BlockAccess event, DataObject object, long address, boolean store) {
        if (!(store ? selection.stores() : selection.loads()) || !selected(object)) {
            return NOTHING;
        }
        int thread = threadIndex(event.thread());
        int name = nameIndex(object);
        long last = address + Math.max(1, event.reach()) - 1 >>> pageBits;
        for (long page = address >>> pageBits; page <= last; page++) {
            cells.countBlock(pageIndex(page), name, thread, event.number(), store);
        }
        if (named) {
            uses.block(event.place(), name);
        }
        return name;
    }

    private boolean selected(DataObject object) {
        return selection.symbol() == null || noteOf(object).selected;
    }

    /** Says what is known of a data object, worked out once. */
    private record Note(int name, boolean selected) {}

    private int nameIndex(DataObject object) {
        return named ? noteOf(object).name : 0;
    }

    private Note noteOf(DataObject object) {
        Note note = notes.of(object);
        if (note == null) {
            boolean wanted = selection.symbol() == null || selection.symbol().matches(object);
            note = new Note(named && wanted ? indexOf(object.commonName()) : 0, wanted);
            notes.keep(object, note);
        }
        return note;
    }

    private int indexOf(String name) {
        Integer known = names.get(name);
        if (known == null && names.size() == HeatCells.MOST_NAMES - 1) {
            return indexOf(OTHERS);
        }
        if (known == null) {
            known = names.size();
            names.put(name, known);
        }
        return known;
    }

    private int threadIndex(int tid) {
        if (named && (threads.isEmpty() || tid != lastThread)) {
            lastThread = tid;
            lastThreadIndex = threads.computeIfAbsent(
                    threads.size() < HeatCells.MOST_THREADS - 1 ? tid : 0, id -> threads.size());
        }
        return lastThreadIndex;
    }

    /** Returns the index of a page, which is a new one if it has none. */
    int pageIndex(long page) {
        if (page == lastPage) {
            return lastIndex;
        }
        int index = pageIndexes.getIfAbsent(page, -1);
        if (index < 0) {
            if (pages.size() == HeatCells.MOST_PAGES) {
                throw new UncheckedIOException(new IOException("there are more than "
                        + HeatCells.MOST_PAGES + " pages. Choose a larger --page"));
            }
            index = pages.size();
            pages.add(page);
            pageIndexes.put(page, index);
        }
        lastPage = page;
        lastIndex = index;
        return index;
    }

    int pageBits() {
        return pageBits;
    }

    HeatSelection selection() {
        return selection;
    }

    HeatCells cells() {
        return cells;
    }

    /** Number of the page with this index: its address without the low bits. */
    long page(int index) {
        return pages.get(index);
    }

    /** Pages accessed. */
    public int pageCount() {
        return pages.size();
    }

    List<HeatRegions.Region> regions() {
        return regions.all();
    }

    List<String> names() {
        return List.copyOf(names.keySet());
    }

    List<Integer> threads() {
        return List.copyOf(threads.keySet());
    }

    String meta(String key) {
        return meta.getOrDefault(key, "");
    }

    /** Number behind the last access or bulk transfer. */
    long end() {
        return end;
    }

    /** Returns which functions touched which names; of a heatmap with names. */
    NameUses uses() {
        return uses;
    }

    /** Bulk transfers by what they read and wrote; of a heatmap with names. */
    Transfers transfers() {
        return transfers;
    }

    /** Accesses to each page, and bulk transfers that touched it, by page index. */
    long[] totals() {
        long[] totals = new long[pages.size()];
        cells.each((page, name, thread, slice, loads, stores, reads, writes) ->
                totals[page] += loads + stores + reads + writes);
        return totals;
    }
}
