package dev.madt.view.locks;

import dev.madt.tracker.ThreadNames;
import dev.madt.view.Place;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/** Counts which threads waited for which, and where the others had taken the lock. */
final class LockWaits implements LockListener {
    static final List<String> HEADINGS = List.of(
            "waits",
            "waited",
            "max",
            "timed out",
            "thread",
            "waited for",
            "meanwhile",
            "lock",
            "waited at",
            "taken at",
            "thread name",
            "name of waited for");

    /** Names have columns for other programs; a text has them beside the numbers. */
    private static final List<String> NAMES = HEADINGS.subList(10, HEADINGS.size());

    private static final List<String> EXTRA =
            Stream.concat(Stream.of("timed out"), NAMES.stream()).toList();

    private record Key(int thread, Integer owner, String lock, String at, String taken) {}

    private static final class Sum {
        private long count;
        private long nanos;
        private long most;
        private long timedOut;
        /** Tells when there were waits: they begin, and end. */
        private final LongArrayList times = new LongArrayList();
    }

    private final boolean common;
    private final Map<Key, Sum> sums = new HashMap<>();
    private final ThreadTimes times = new ThreadTimes();

    /** @param common whether locks with a name in common share a row */
    LockWaits(boolean common) {
        this.common = common;
    }

    @Override
    public void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {
        if (before == null) {
            return;
        }
        add(lock, waited, before);
    }

    @Override
    public void unit(Holding unit, long waited, Holding added) {
        if (added != null) {
            add(unit, waited, added);
        }
    }

    @Override
    public void failed(Holding asked, long waited, Holding before, boolean timed) {
        if (timed) {
            add(asked, waited, before).timedOut++;
        }
    }

    private Sum add(Holding lock, long waited, Holding other) {
        Sum sum = sums.computeIfAbsent(
                new Key(
                        lock.thread(),
                        other == null ? null : other.thread(),
                        lock.name().by(common),
                        text(lock.place()),
                        other == null ? null : text(other.place())),
                absent -> new Sum());
        sum.count++;
        sum.nanos += waited;
        sum.most = Math.max(sum.most, waited);
        sum.times.addAll(lock.since() - waited, lock.since());
        return sum;
    }

    @Override
    public void called(int thread, long begin, long nanos, String call) {
        times.called(thread, begin, nanos, call);
    }

    @Override
    public void offCpu(int thread, long begin, long nanos, String why) {
        times.offCpu(thread, begin, nanos, why);
    }

    static String text(Place place) {
        return place == null ? "?" : place.siteOfAuthor();
    }

    /**
     * The rows, the longest waits first.
     *
     * @param top rows at most; 0: all
     * @param names what threads are called; null for those without a name
     */
    Table table(int top, IntFunction<String> names) {
        List<Map.Entry<Key, Sum>> all = new ArrayList<>(sums.entrySet());
        all.sort(Comparator.comparingLong((Map.Entry<Key, Sum> one) -> one.getValue().nanos)
                .reversed()
                .thenComparing(one -> one.getKey().toString()));
        long timedOut = all.stream().mapToLong(one -> one.getValue().timedOut).sum();
        return new Table("waits", HEADINGS)
                .extra(timedOut > 0 ? NAMES : EXTRA)
                .first(all, top, one -> cells(one.getKey(), one.getValue(), names))
                .total(
                        all.stream().mapToLong(one -> one.getValue().count).sum(),
                        new Table.Time(all.stream()
                                .mapToLong(one -> one.getValue().nanos)
                                .sum()),
                        null,
                        timedOut,
                        null,
                        null,
                        null,
                        "total",
                        null,
                        null,
                        null,
                        null);
    }

    /** Returns what the other thread did while this one waited for it. */
    private String meanwhile(Key key, Sum sum) {
        if (key.owner() == null) {
            return null;
        }
        Map<String, Long> parts = new HashMap<>();
        for (int i = 0; i < sum.times.size(); i += 2) {
            times.add(key.owner(), sum.times.get(i), sum.times.get(i + 1), parts);
        }
        return ThreadTimes.text(parts);
    }

    private static Table.Labelled thread(Integer number, IntFunction<String> names) {
        return number == null
                ? null
                : new Table.Labelled(number, ThreadNames.label(number, names.apply(number)));
    }

    private Object[] cells(Key key, Sum sum, IntFunction<String> names) {
        return new Object[] {
            sum.count,
            new Table.Time(sum.nanos),
            new Table.Time(sum.most),
            sum.timedOut,
            thread(key.thread(), names),
            thread(key.owner(), names),
            meanwhile(key, sum),
            key.lock(),
            key.at(),
            key.taken(),
            names.apply(key.thread()),
            key.owner() == null ? null : names.apply(key.owner())
        };
    }
}
