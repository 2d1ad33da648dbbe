package dev.madt.view.top;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.AccessCounter;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the accesses of one process by data object, function, access site and thread at once, as
 * little work for each as can be. Names and counts are those of {@code madt report}. Memory grows
 * with names, instructions and threads.
 */
public final class TopCounter implements Analysis, AccessCounter {
    private final Notes<TopPlace> notes = new Notes<>();
    private final Notes<TopCount> names = new Notes<>();
    private final Map<String, TopCount> data = new HashMap<>();
    private final Map<String, TopCount> functions = new HashMap<>();
    private final Map<String, TopCount> sites = new HashMap<>();
    /** By the number of a thread. */
    private final Map<Integer, TopCount> threads = new HashMap<>();

    private final ThreadNames threadNames = new ThreadNames();
    private final List<TopPlace> places = new ArrayList<>();
    private String program = "";
    private int lastThread;
    private TopCount last;
    private boolean hurries;

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().counting(this).keeping(notes, names);
    }

    @Override
    public boolean byThread() {
        return true;
    }

    /** Says whether it is behind. */
    void hurry(boolean on) {
        hurries = on;
    }

    @Override
    public boolean hurries() {
        return hurries;
    }

    @Override
    public boolean takesTransfers() {
        return false;
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        count(thread, place, object, 1);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        TopPlace at = notes.of(place);
        at.add(times);
        of(thread).add(times * at.loads, times * at.stores);
    }

    /**
     * Accesses to blocks that have ended; where nobody counts, all. A modify is a load and a store:
     * its load stands for both.
     */
    @Override
    public void accesses(Accesses batch) {
        for (int row = 0; row < batch.count(); row++) {
            Place place = batch.place(row);
            if (!batch.store(row) || place.kind() != AccessKind.MODIFY) {
                count(batch.thread(), place, batch.object(row), 1);
            }
        }
    }

    @Override
    public void meta(Map<String, String> values) {
        String path = values.getOrDefault("program", program);
        program = path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the program of the process, without its folder. */
    String program() {
        return program;
    }

    @Override
    public void ring(TraceEvent event) {
        threadNames.take(event);
    }

    private void count(int thread, Place place, DataObject object, long times) {
        TopPlace at = notes.of(place);
        if (at == null) {
            at = new TopPlace(
                    place,
                    named(functions, place.function(), place.module()),
                    named(sites, place.name(), place.module()));
            notes.keep(place, at);
            places.add(at);
        }
        if (!at.isAt(object)) {
            at.turnTo(object, dataOf(object));
        }
        at.add(times);
        of(thread).add(times * at.loads, times * at.stores);
    }

    private static TopCount named(Map<String, TopCount> counts, String name, String besides) {
        return named(counts, name, besides, "");
    }

    private static TopCount named(
            Map<String, TopCount> counts, String name, String besides, String program) {
        return counts.computeIfAbsent(
                String.join("\n", name, besides, program),
                key -> new TopCount(key, name, besides.equals(name) ? "" : besides));
    }

    private TopCount dataOf(DataObject object) {
        TopCount count = names.of(object);
        if (count == null) {
            count = named(data, object.commonName(), object.region(), program);
            names.keep(object, count);
        }
        return count;
    }

    private TopCount of(int thread) {
        if (last == null || thread != lastThread) {
            lastThread = thread;
            last = threads.computeIfAbsent(thread, absent -> new TopCount("", "", ""));
        }
        return last;
    }

    /** Tells rows of everything so far; the feed has told this counter before. */
    void settle() {
        places.forEach(TopPlace::settle);
    }

    /** The rows of a kind, in no order. */
    List<TopRow> rows(TopKind kind) {
        return switch (kind) {
            case DATA -> rows(data);
            case FUNCTIONS -> rows(functions);
            case SITES -> rows(sites);
            case THREADS ->
                threads.entrySet().stream()
                        .map(thread -> named(thread.getKey(), thread.getValue().row()))
                        .toList();
        };
    }

    private TopRow named(int thread, TopRow row) {
        return new TopRow(
                Integer.toUnsignedString(thread),
                threadNames.label(thread),
                "",
                row.loads(),
                row.stores());
    }

    private static List<TopRow> rows(Map<String, TopCount> counts) {
        return counts.values().stream()
                .map(TopCount::row)
                .filter(row -> row.accesses() > 0)
                .toList();
    }
}
