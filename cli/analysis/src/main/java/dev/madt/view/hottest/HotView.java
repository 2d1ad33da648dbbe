package dev.madt.view.hottest;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.AccessCounter;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.defects.DefectRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The hottest data and functions, and whether it looks as if there were defects; as little work for
 * each access as can be. Counts are those of {@code madt report --by symbol} and
 * {@code --by function}, and so are names where symbols keep the linker's while the trace is read.
 * Memory grows with names and instructions.
 */
public final class HotView implements Analysis, AccessCounter {
    private final Notes<PlaceHits> hits = new Notes<>();
    private final Notes<HotName> names = new Notes<>();
    private final Map<String, HotName> data = new HashMap<>();
    private final Map<String, HotName> code = new HashMap<>();
    private String program = "";
    private final List<PlaceHits> places = new ArrayList<>();
    private final Needs needs;
    private long accesses;
    private boolean suspicious;
    private Neighbours space;

    /** By itself, at the least work. */
    public HotView() {
        this(Needs.BATCHES.bySite(), true);
    }

    private HotView(Needs needs, boolean counts) {
        this.needs = (counts ? needs.counting(this) : needs).keeping(hits, names);
    }

    /** Beside an analysis that needs batches, with which it shares the names of code and data. */
    public static HotView beside() {
        return new HotView(Needs.BATCHES, false);
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    public void meta(Map<String, String> values) {
        String path = values.getOrDefault("program", program);
        program = path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        count(place, object).add(1);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        hits.of(place).add(times);
    }

    /**
     * Accesses to blocks that have ended; where nobody counts, all. A modify is a load and a store:
     * its load stands for both.
     */
    @Override
    public void accesses(Accesses batch) {
        for (int row = 0; row < batch.count(); row++) {
            Place place = batch.place(row);
            DataObject object = batch.object(row);
            if (!batch.store(row) || place.kind() != AccessKind.MODIFY) {
                count(place, object).add(1);
            }
            suspicious |= object.dead();
        }
    }

    @Override
    public void block(BlockAccess event) {
        suspicious |= event.target().dead()
                || event.source() != null && event.source().dead();
    }

    @Override
    public void allocation(Allocation event) {
        suspicious |= DefectRules.wrongFree(event.event()) != null;
    }

    @Override
    public void neighbours(Neighbours of) {
        space = of;
    }

    @Override
    public void ring(TraceEvent event) {
        suspicious |= DefectRules.isCrashAfterEnd(event, space);
    }

    @Override
    public void end(boolean complete) {
        places.forEach(this::settle);
    }

    private PlaceHits count(Place place, DataObject object) {
        PlaceHits hits = this.hits.of(place);
        if (hits == null) {
            hits = new PlaceHits(place, codeOf(place));
            this.hits.keep(place, hits);
            places.add(hits);
        }
        if (!hits.isAt(object)) {
            settle(hits);
            hits.turnTo(object, dataOf(object));
        }
        return hits;
    }

    private void settle(PlaceHits hits) {
        long told = hits.settle();
        accesses += told;
        suspicious |= told > 0 && DefectRules.isOutside(hits.role, hits.stores(), hits.object());
    }

    private HotName dataOf(DataObject object) {
        HotName name = names.of(object);
        if (name == null) {
            name = data.computeIfAbsent(
                    object.commonName() + '\n' + object.region(),
                    absent -> HotName.of(object, described(object)));
            names.keep(object, name);
        }
        return name;
    }

    private static String described(DataObject object) {
        String guess = object.guessed() ? "?" : "";
        String type = object.type() == null ? "" : object.type() + guess;
        String line = object.shownCall() == null ? "" : object.shownCall().ownLine();
        return type.isEmpty() || line.isEmpty() ? type + line : type + ", " + line;
    }

    private HotName codeOf(Place place) {
        return code.computeIfAbsent(
                place.function() + '\n' + place.module(), absent -> HotName.of(place));
    }

    /** Loads and stores. */
    public long accesses() {
        return accesses;
    }

    /**
     * Returns whether {@code madt defects} may find something: an access or a free is a defect by
     * {@link DefectRules}, for certain or perhaps. It may find more where this is false.
     */
    public boolean suspicious() {
        return suspicious;
    }

    /** The functions of the hottest code, as the linker names them, the hottest first. */
    public List<String> hottestFunctions(int most) {
        return hottestCode(most).stream()
                .map(HotName::symbol)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The name of the program's file; empty if unknown. */
    String program() {
        return program;
    }

    List<HotName> hottestData(int most) {
        return hottest(data, most);
    }

    List<HotName> hottestCode(int most) {
        return hottest(code, most);
    }

    private static List<HotName> hottest(Map<String, HotName> names, int most) {
        return names.values().stream()
                .filter(name -> name.accesses() > 0)
                .sorted(Comparator.comparingLong(HotName::accesses)
                        .reversed()
                        .thenComparing(name -> name.name))
                .limit(most)
                .toList();
    }
}
