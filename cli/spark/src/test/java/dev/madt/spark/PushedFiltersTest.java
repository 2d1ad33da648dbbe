package dev.madt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;
import org.junit.jupiter.api.Test;

class PushedFiltersTest {
    private static PushedFilters of(String table, Filter... conditions) {
        PushedFilters filters = new PushedFilters(table);
        for (Filter condition : conditions) {
            filters.take(condition);
        }
        return filters;
    }

    @Test
    void shouldSelectAccessesByPlainNames() {
        PushedFilters filters = of(
                "accesses",
                new EqualTo("function", "main"),
                new EqualTo("kind", "S"),
                new EqualTo("thread", 17));
        assertEquals(
                Map.of("function", "main", "kind", "store", "thread", "17"), filters.arguments());
        assertEquals(3, filters.taken().length);
    }

    @Test
    void shouldLeaveToSparkWhatAPatternMayMeanOtherwise() {
        assertArrayEquals(
                new Filter[0],
                of(
                                "accesses",
                                new EqualTo("function", "operator*"),
                                new EqualTo("region", "[heap]"),
                                new EqualTo("kind", "X"),
                                new EqualTo("size", 4),
                                new Or(new EqualTo("function", "f"), new EqualTo("size", 4)))
                        .taken());
    }

    /** Two of one column exclude each other; the reading can select by one of them alone. */
    @Test
    void shouldSelectByOneNameOfAColumn() {
        PushedFilters filters =
                of("accesses", new EqualTo("function", "f"), new EqualTo("function", "g"));
        assertEquals(Map.of("function", "f"), filters.arguments());
        assertEquals(1, filters.taken().length);
    }

    @Test
    void shouldReadARangeOfNumbers() {
        PushedFilters filters = of(
                "accesses",
                new GreaterThan("number", 9L),
                new GreaterThanOrEqual("number", 3L),
                new LessThan("number", 100L),
                new LessThanOrEqual("number", 200L));
        assertEquals(10, filters.first());
        assertEquals(99, filters.last());
        PushedFilters one = of("accesses", new EqualTo("number", 5L));
        assertEquals(5, one.first());
        assertEquals(5, one.last());
    }

    /** Of a block, what is in front of a number counts, too. */
    @Test
    void shouldSelectNothingWithinOtherTables() {
        PushedFilters filters = of(
                "blocks",
                new EqualTo("function", "main"),
                new EqualTo("thread", 17),
                new GreaterThan("number", 9L));
        assertEquals(Map.of(), filters.arguments());
        assertEquals(0, filters.first());
        assertEquals(0, filters.taken().length);
    }

    @Test
    void shouldReadTheTracesThatAreAskedFor() {
        PushedFilters filters = of(
                "blocks",
                new In("process", new Object[] {1, 2, 3}),
                new In("process", new Object[] {2, 3, 4}),
                new EqualTo("trace", "a.madt"));
        assertTrue(filters.wants("process", "2"));
        assertFalse(filters.wants("process", "4"));
        assertTrue(filters.wants("trace", "a.madt"));
        assertFalse(filters.wants("trace", "b.madt"));
        assertEquals(3, filters.taken().length);
    }
}
