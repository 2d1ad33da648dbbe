package dev.madt.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.LessThan;
import org.junit.jupiter.api.Test;

class SplitPlanTest {
    private static final long LARGE = 100_000_000;

    private static List<TraceSplit> deal(
            int cores, List<SplitPlan.Load> loads, Filter... conditions) {
        PushedFilters filters = new PushedFilters("accesses");
        for (Filter condition : conditions) {
            filters.take(condition);
        }
        return new SplitPlan(filters, cores).deal(loads);
    }

    private static SplitPlan.Load load(String name, long accesses) {
        return new SplitPlan.Load(Path.of(name), accesses, accesses);
    }

    private static List<SplitPlan.Load> loads(int count, long accesses) {
        List<SplitPlan.Load> loads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            loads.add(load(i + ".madt", accesses));
        }
        return loads;
    }

    @Test
    void shouldReadAllTracesOnce() {
        List<TraceSplit> splits = deal(4, loads(10_000, 100_000));
        assertEquals(12, splits.size());
        assertEquals(
                10_000,
                splits.stream()
                        .flatMap(split -> split.files().stream())
                        .distinct()
                        .count());
        assertEquals(
                10_000, splits.stream().mapToInt(split -> split.files().size()).sum());
        assertTrue(splits.stream().allMatch(split -> split.files().size() > 800), "" + splits);
    }

    @Test
    void shouldCutATraceThatIsLongerThanTheOthers() {
        List<SplitPlan.Load> loads = new ArrayList<>(loads(3, 1000));
        loads.add(load("large.madt", LARGE));
        List<TraceSplit> large = deal(2, loads).stream()
                .filter(split -> split.files().contains("large.madt"))
                .toList();
        assertEquals(2, large.size());
        long end = Long.parseLong(large.get(0).arguments().get("last"));
        assertEquals(Map.of("last", Long.toString(end)), large.get(0).arguments());
        assertEquals(Map.of("first", Long.toString(end + 1)), large.get(1).arguments());
        assertTrue(end > LARGE / 2 && end < LARGE * 2 / 3, "" + end);
    }

    @Test
    void shouldLeaveTracesWholeThatAreAlike() {
        assertEquals(2, deal(2, loads(2, LARGE)).size());
        assertEquals(1, deal(2, List.of(load("short.madt", 1_000_000))).size());
        assertEquals(
                1, deal(8, List.of(new SplitPlan.Load(Path.of("x"), LARGE, 0))).size());
    }

    @Test
    void shouldReadOnlyRangesThatAreWanted() {
        List<TraceSplit> splits = deal(
                4,
                List.of(load("large.madt", LARGE)),
                new GreaterThanOrEqual("number", 5L),
                new LessThan("number", 20L));
        assertEquals(
                List.of(Map.of("first", "5", "last", "19")),
                splits.stream().map(TraceSplit::arguments).toList());
    }

    @Test
    void shouldHaveNothingToReadOfNoTracesAndNoNumbers() {
        assertEquals(List.of(), deal(4, loads(2, LARGE), new LessThan("number", 0L)));
        assertEquals(List.of(), deal(4, List.of()));
    }
}
