package dev.madt.view.locality;

import dev.madt.console.Numbers;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Spans of a run in which it behaves alike ({@link Phases}). The run is cut into up to 512
 * intervals; of more, each two become one. An interval costs 8 bytes for each function and each
 * variable or call that allocates, a line what {@link dev.madt.view.report.LineSlots} says.
 */
public final class PhaseReport implements Analysis {
    /** Headings of the spans. */
    public static final List<String> HEADINGS = List.of(
            "phase", "from", "to", "accesses", "share", "lines", "bytes", "functions", "data");

    private static final int MOST = 512;
    private static final int SHOWN = 3;
    private static final double LEAST = 0.05;
    private static final int LETTERS_SAID = 60;

    /** An interval that is at its end, with the numbers of its first and last access. */
    private record Interval(Signature signature, long first, long last) {
        Interval with(Interval next) {
            return new Interval(signature.with(next.signature), first, next.last);
        }
    }

    private final double most;
    private final int lineBits;
    private final Notes<Integer> notes = new Notes<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> functions = new ArrayList<>();
    private final List<String> data = new ArrayList<>();
    private final List<Interval> intervals = new ArrayList<>();
    private final SpanLines lines = new SpanLines(MOST);
    private long length;
    private int halvings;
    private long[] counts = new long[64];
    private long count;
    private long first;
    private long last;

    /**
     * @param length accesses of an interval, as long as there are not too many
     * @param most by which the intervals of a phase may differ from it: 0 to 1
     * @param line bytes of a line, a power of two
     */
    public PhaseReport(long length, double most, int line) {
        this.length = length;
        this.most = most;
        this.lineBits = Integer.numberOfTrailingZeros(line);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().living(BlockLives.UNHEEDED).keeping(notes);
    }

    /** Returns whether there were accesses. */
    public boolean isOfAccesses() {
        return count > 0 || !intervals.isEmpty();
    }

    @Override
    public void accesses(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            if (count == length) {
                close();
            }
            long number = batch.first() + i;
            first = count == 0 ? number : first;
            last = number;
            count++;
            add(number(batch.place(i)));
            add(number(batch.object(i)));
            long line = batch.address(i) >>> lineBits;
            long end = batch.address(i) + Math.max(1, batch.size(i)) - 1 >>> lineBits;
            int interval = intervals.size() << halvings;
            for (; line <= end; line++) {
                lines.touch(line, interval);
            }
        }
    }

    private void add(int number) {
        if (number >= counts.length) {
            counts = Arrays.copyOf(counts, 2 * number);
        }
        counts[number]++;
    }

    private int number(Place place) {
        Integer known = notes.of(place);
        if (known == null) {
            known = numbers.computeIfAbsent(
                    "F " + place.function() + " " + place.module(), absent -> {
                        functions.add(place.function());
                        return 2 * (functions.size() - 1);
                    });
            notes.keep(place, known);
        }
        return known;
    }

    private int number(DataObject object) {
        Integer known = notes.of(object);
        if (known == null) {
            known = numbers.computeIfAbsent(
                    "D " + object.commonName() + " " + object.region(), absent -> {
                        data.add(object.commonName());
                        return 2 * (data.size() - 1) + 1;
                    });
            notes.keep(object, known);
        }
        return known;
    }

    /** Ends an interval; of too many, each two become one. */
    private void close() {
        intervals.add(closed());
        Arrays.fill(counts, 0);
        count = 0;
        if (intervals.size() < MOST) {
            return;
        }
        for (int i = 0; i < MOST / 2; i++) {
            intervals.set(i, intervals.get(2 * i).with(intervals.get(2 * i + 1)));
        }
        intervals.subList(MOST / 2, MOST).clear();
        lines.halve();
        length *= 2;
        halvings++;
    }

    private Interval closed() {
        int used = 2 * Math.max(functions.size(), data.size());
        return new Interval(new Signature(Arrays.copyOf(counts, used)), first, last);
    }

    private List<Interval> all() {
        List<Interval> all = new ArrayList<>(intervals);
        if (count > 0) {
            all.add(closed());
        }
        return all;
    }

    private List<Phases.Span> spans(List<Interval> all) {
        return Phases.of(all.stream().map(Interval::signature).toList(), most);
    }

    /**
     * Returns the spans.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        List<Interval> all = all();
        Table table = new Table("spans", HEADINGS).spare(List.of("lines", "accesses"));
        return table.first(spans(all), top, span -> cells(span, all));
    }

    private Object[] cells(Phases.Span span, List<Interval> all) {
        Interval whole = whole(span, all);
        long sum = all.stream().mapToLong(one -> one.signature.accesses()).sum();
        long touched = lines.lines(span.first(), span.last());
        return new Object[] {
            AffinityReport.letter(span.phase()),
            whole.first,
            whole.last,
            whole.signature.accesses(),
            new Table.Share(whole.signature.accesses() / (double) sum),
            touched,
            touched << lineBits,
            new Table.Below(most(whole.signature, 0, functions)),
            new Table.Below(most(whole.signature, 1, data))
        };
    }

    private static Interval whole(Phases.Span span, List<Interval> all) {
        return all.subList(span.first(), span.last() + 1).stream()
                .reduce(Interval::with)
                .orElseThrow();
    }

    /** Returns what has most accesses, with their parts. */
    private static String most(Signature signature, int kind, List<String> names) {
        double all = signature.accesses();
        List<Integer> hottest = IntStream.range(0, names.size())
                .boxed()
                .filter(i -> signature.count(2 * i + kind) >= LEAST * all)
                .sorted(Comparator.comparingLong((Integer i) -> -signature.count(2 * i + kind))
                        .thenComparing(names::get))
                .limit(SHOWN)
                .toList();
        return String.join(
                ", ",
                hottest.stream()
                        .map(i -> names.get(i) + " "
                                + Math.round(100 * signature.count(2 * i + kind) / all) + " %")
                        .toList());
    }

    /** Returns the spans as bars over the accesses, as high as their working sets. */
    public Chart chart(String trace) {
        List<Interval> all = all();
        Chart chart = new Chart(
                Chart.Kind.BAR,
                "Phases: " + trace,
                ChartAxis.numbers("accesses"),
                ChartAxis.linearBytes("working set of the span"));
        for (Phases.Span span : spans(all)) {
            Object[] cells = cells(span, all);
            chart.bar(
                    cells[0].toString(),
                    (Long) cells[1],
                    (Long) cells[2] + 1,
                    (Long) cells[6],
                    Numbers.grouped((Long) cells[1]) + " to " + Numbers.grouped((Long) cells[2])
                            + ", " + cells[7] + ", " + cells[8]);
        }
        return chart;
    }

    /** Returns what to know about the spans, a sentence each. */
    public List<String> sentences() {
        List<Phases.Span> spans = spans(all());
        long phases = spans.stream().map(Phases.Span::phase).distinct().count();
        List<String> letters =
                spans.stream().map(span -> AffinityReport.letter(span.phase())).toList();
        return List.of(Numbers.counted(phases, "phase", "phases") + " in intervals of "
                + Numbers.grouped(length) + " accesses: "
                + String.join(" ", letters.subList(0, Math.min(LETTERS_SAID, letters.size())))
                + (letters.size() > LETTERS_SAID ? " …" : "."));
    }
}
