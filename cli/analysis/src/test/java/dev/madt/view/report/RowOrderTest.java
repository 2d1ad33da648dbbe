package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Failure;
import dev.madt.view.RandomEvents;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowOrderTest {
    private static Report report(ReportKey key) {
        Report report = new Report(key, false);
        new RandomEvents(11, new ViewFeed(report)).give(5_003);
        return report;
    }

    private static List<Long> column(Table table, String heading) {
        int at = table.headings().indexOf(heading);
        List<Long> values = new ArrayList<>();
        table.rows().forEach(row -> values.add((Long) row[at]));
        return values;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stores",
                "bytes",
                "bulk_events",
                "never-accessed",
                "mean_life",
                "longest life"
            })
    void shouldSortByAColumn(String name) throws Exception {
        Table table = report(ReportKey.SITE).table(0);
        RowOrder order = RowOrder.of(name, List.of(ReportKey.SITE));
        List<Long> known = new ArrayList<>(column(table, order.column()));
        known.removeIf(value -> value == null);
        known.sort(Comparator.reverseOrder());
        List<Long> sorted = column(order.of(table, 0), order.column());
        assertEquals(known, sorted.subList(0, known.size()));
        assertEquals(table.rows().size(), sorted.size());
        Table rising = RowOrder.of(name + ":asc", List.of(ReportKey.SITE)).of(table, 3);
        List<Long> least = new ArrayList<>(known);
        least.sort(Comparator.naturalOrder());
        assertEquals(least.subList(0, 3), column(rising, order.column()));
        assertEquals(table.rows().size() - 3, rising.hidden());
        Set<Object> names = new HashSet<>();
        order.of(table, 0)
                .rows()
                .forEach(row -> names.add(row[table.headings().indexOf("allocation site")]));
        assertEquals(table.rows().size(), names.size());
    }

    @Test
    void shouldSayWhichColumnsThereAre() {
        String said = assertThrows(
                        Failure.class, () -> RowOrder.of("store", List.of(ReportKey.FUNCTION)))
                .getMessage();
        assertTrue(
                said.startsWith("--sort is one of share, loads, stores, bytes, bulk_events,"),
                said);
        assertTrue(said.endsWith(", function, module, not 'store'. Did you mean 'stores'?"), said);
    }

    @Test
    void shouldShowTheColumnThatRowsAreSortedBy() throws Failure {
        Table table = new Table("rows", List.of("name", "calls", "least", "p99"))
                .extra(List.of("least"))
                .spare(List.of("p99"))
                .row("std::vector<…>::emplace_back<…>+45", 1L, 1L, 1L);
        assertEquals(List.of("name", "calls"), shown(table));
        for (String column : List.of("least", "p99")) {
            RowOrder order = RowOrder.ofColumns(column, table.headings());
            assertEquals(List.of("name", "calls", column), shown(order.of(table, 0)));
        }
    }

    private static List<String> shown(Table table) {
        String headings =
                new TextTable(false, 30).render(table).lines().toList().get(0);
        return List.of(headings.trim().split(" +"));
    }
}
