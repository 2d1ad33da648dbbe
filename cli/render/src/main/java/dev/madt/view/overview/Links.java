package dev.madt.view.overview;

import dev.madt.trace.event.BlockKind;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.defects.CodeRole;
import dev.madt.view.defects.DefectRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Counts accesses by what is accessed, by code, and by both together. A place keeps what it
 * accessed last. Rows are right after {@link #settle}.
 */
final class Links {
    /**
     * Says how many links are kept: what comes behind counts in the rows, but nobody can tell any
     * more which code it was that accessed which data.
     */
    private static final int MOST_LINKS = 1 << 18;

    private static final int NOT_KEPT = -1;
    /** Code that is made at run time brings ever new instructions. */
    private static final int MOST_PLACES = 1 << 17;

    private final Notes<PlaceUse> notes = new Notes<>();
    private final Notes<Row> rows = new Notes<>();
    private final Rows symbols = new Rows();
    private final Rows functions = new Rows();
    private final Rows lines = new Rows();
    private final Map<String, Code> codes = new HashMap<>();
    private final LongObjectHashMap<Link> links = new LongObjectHashMap<>();
    private final List<PlaceUse> uses = new ArrayList<>();
    private final Map<Integer, long[]> threads = new LinkedHashMap<>();
    private boolean hasLines;

    /** Returns what is kept on places and data. */
    List<Notes<?>> notes() {
        return List.of(notes, rows);
    }

    /** Counts a row of a batch; returns what counts it. */
    PlaceUse count(Accesses batch, int row) {
        PlaceUse use = use(batch.place(row), batch.object(row), batch.thread());
        use.access(batch.address(row), batch.store(row));
        return use;
    }

    /** Counts what an instruction does; returns what counts it. */
    PlaceUse count(Place place, DataObject object, int thread, long address) {
        PlaceUse use = use(place, object, thread);
        use.access(address);
        return use;
    }

    /** Counts so many times more what it did last; returns what counts it. */
    PlaceUse again(Place place, long times) {
        PlaceUse use = notes.of(place);
        use.again(times);
        return use;
    }

    /** Returns which link the accesses of a place to a data object count for. */
    int indexOf(Place place, DataObject object, int thread) {
        return use(place, object, thread).link().index();
    }

    /**
     * Counts a bulk transfer; a copy once by its code, and once where one row has both its sides.
     */
    void count(BlockAccess event) {
        Link to = turn(event.place(), event.target(), event.thread()).link();
        to.transfer(event.to(), event.length(), event.reach());
        if (event.kind() == BlockKind.COPY) {
            Link from = turn(event.place(), event.source(), event.thread()).link();
            from.copiedFrom(event.from(), event.length(), event.reach(), from.data() == to.data());
        }
    }

    private PlaceUse use(Place place, DataObject object, int thread) {
        PlaceUse use = notes.of(place);
        return use == null || !use.isAt(object, thread) ? turn(place, object, thread) : use;
    }

    private PlaceUse turn(Place place, DataObject object, int thread) {
        PlaceUse use = notes.of(place);
        if (use == null) {
            use = new PlaceUse(codeOf(place), place);
            notes.keep(place, use);
        }
        if (!use.isListed()) {
            list(use);
        }
        Row data = rowOf(object);
        boolean stays = use.link() != null && use.link().data() == data;
        use.turnTo(object, thread, ofThread(thread), stays ? use.link() : link(data, use.code()));
        return use;
    }

    /** Loads and stores of a thread. */
    long[] ofThread(int thread) {
        return threads.computeIfAbsent(thread, absent -> new long[2]);
    }

    /** Loads and stores by thread, in the order in which threads came. */
    Map<Integer, long[]> threads() {
        return threads;
    }

    private void list(PlaceUse use) {
        if (uses.size() == MOST_PLACES) {
            settle();
        }
        uses.add(use);
        use.list();
    }

    private Link link(Row data, Code code) {
        long key = (long) data.index() << Integer.SIZE | code.index();
        Link known = links.get(key);
        if (known == null) {
            boolean kept = links.size() < MOST_LINKS;
            known = new Link(kept ? links.size() : NOT_KEPT, data, code);
            if (kept) {
                links.put(key, known);
            }
        }
        return known;
    }

    private Row rowOf(DataObject object) {
        Row row = rows.of(object);
        if (row == null) {
            row = symbols.of(object.commonName(), object.region());
            if (object.shownCall() != null) {
                row.source(object.shownCall().ownLine());
            }
            rows.keep(object, row);
        }
        return row;
    }

    private Code codeOf(Place place) {
        Row function = functions.of(place.function(), place.module());
        Row line = lines.of(place.lineName(), place.lineFunction());
        line.source(place.source().chargedFile());
        hasLines |= place.line() > 0;
        return codes.computeIfAbsent(
                function.index() + " " + line.index(),
                absent -> new Code(codes.size(), function, line, CodeRole.of(place)));
    }

    /** Tells the rows of everything so far. */
    void settle() {
        uses.forEach(PlaceUse::unlist);
        uses.clear();
    }

    /** Variables, blocks by the call that allocated them, and the rest of each region. */
    Rows symbols() {
        return symbols;
    }

    Rows functions() {
        return functions;
    }

    Rows lines() {
        return lines;
    }

    /** Returns whether the trace knows source lines of code that accessed. */
    boolean hasLines() {
        return hasLines;
    }

    /** Returns whether an access is to a heap, but to none of its blocks. */
    boolean leadOutOfBlocks() {
        return links.values().stream().anyMatch(Links::leadsOut);
    }

    private static boolean leadsOut(Link link) {
        return link.weight() > 0
                && DefectRules.isOutside(
                        link.code().role(), link.stores() > 0, link.data().name());
    }

    Collection<Link> all() {
        return links.values();
    }
}
