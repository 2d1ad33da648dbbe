package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.cache.Cache;
import dev.madt.view.cache.CacheHierarchy;
import dev.madt.view.toolkit.TextBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Accesses and misses per function and, where known, source line in the format of Cachegrind
 * (Valgrind manual, "Cachegrind Output File Format"). As there, an access that lies in two lines
 * misses once at most, and the last level sees what the first one misses. Instruction fetches are
 * those of the instructions that access traced memory; a modify is a read and a write.
 */
final class CachegrindProfile extends Conversion {
    private static final String EVENTS = "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw";
    private static final int FETCHES = 0;
    private static final int READS = 3;
    private static final int WRITES = 6;
    private static final int COUNTS = 9;

    /** A source line of a function. */
    private record Line(String file, String function, int line) {}

    private final Notes<long[]> notes = new Notes<>();
    private final CacheHierarchy caches;
    private final Cache instructions;
    private final Cache data;
    private final Cache last;
    private final boolean blocks;
    private final Executions executions = new Executions();
    private final Map<Line, long[]> lines = new TreeMap<>(Comparator.comparing(Line::file)
            .thenComparing(Line::function)
            .thenComparing(Line::line));

    CachegrindProfile(TextBuffer text, CacheHierarchy caches, boolean blocks) {
        super(text);
        this.caches = caches;
        this.instructions = new Cache(caches.instructions());
        this.data = new Cache(caches.data());
        this.last = new Cache(caches.last());
        this.blocks = blocks;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().living(BlockLives.UNHEEDED).keeping(notes);
    }

    @Override
    protected void access(Accesses batch, int row) {
        Place place = batch.place(row);
        long[] counts = of(place);
        if (executions.begins(batch, row)) {
            count(counts, FETCHES, instructions, place.address(), place.length());
        }
        count(counts, batch.store(row) ? WRITES : READS, data, batch.address(row), batch.size(row));
    }

    @Override
    public void block(BlockAccess event) {
        if (blocks) {
            long[] counts = of(event.place());
            Pieces.of(
                    event,
                    (store, address, size) ->
                            count(counts, store ? WRITES : READS, data, address, size));
        }
    }

    private void count(long[] counts, int kind, Cache first, long address, int size) {
        counts[kind]++;
        if (first.misses(address, size)) {
            counts[kind + 1]++;
            counts[kind + 2] += last.misses(address, size) ? 1 : 0;
        }
    }

    private long[] of(Place place) {
        long[] counts = notes.of(place);
        if (counts == null) {
            Line line = new Line(Cost.named(place.file()), place.function(), place.line());
            counts = lines.computeIfAbsent(line, absent -> new long[COUNTS]);
            notes.keep(place, counts);
        }
        return counts;
    }

    @Override
    void write() {
        text.text("desc: I1 cache:         ")
                .text(caches.instructions().toString())
                .text("\ndesc: D1 cache:         ")
                .text(caches.data().toString())
                .text("\ndesc: LL cache:         ")
                .text(caches.last().toString())
                .text("\ncmd: ")
                .text(oneLine(meta("command")))
                .text("\nevents: ")
                .text(EVENTS)
                .character('\n');
        long[] total = new long[COUNTS];
        Line[] before = {new Line("", "", 0)};
        lines.forEach((line, counts) -> {
            boolean file = !line.file.equals(before[0].file);
            if (file) {
                text.text("fl=").text(oneLine(line.file)).character('\n');
            }
            if (file || !line.function.equals(before[0].function)) {
                text.text("fn=").text(oneLine(line.function)).character('\n');
            }
            before[0] = line;
            text.decimal(line.line);
            numbers(counts);
            for (int i = 0; i < COUNTS; i++) {
                total[i] += counts[i];
            }
        });
        text.text("summary:");
        numbers(total);
    }

    private void numbers(long[] counts) {
        for (long count : counts) {
            text.character(' ').decimal(count);
        }
        text.character('\n');
    }
}
