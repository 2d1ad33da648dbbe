package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.NameBook;
import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.LinkedRows;
import dev.madt.testprogs.LinkedRows.Sums;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.NamedPrograms;
import dev.madt.testprogs.Recording;
import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.NameGatherer;
import dev.madt.view.NamePattern;
import dev.madt.view.text.LineDetailOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows of reports are told apart by the linker's names and modules, whatever is shown, and each
 * name that is shown selects its row.
 */
class RowIdentityIT {
    /** Rows of each report that are selected by reading the trace again. */
    private static final int SELECTED = Tier.of(1 << 20, 1);

    /** A row: its name, what stands beside it, what it counts. */
    private record Row(String name, String beside, Sums sums) {}

    @TempDir
    Path directory;

    static Stream<String> programs() {
        return Tier.only(
                Stream.concat(NamedPrograms.CPP.stream(), NamedPrograms.OTHERS.stream()),
                "templates",
                "hidden",
                "modules",
                "threads",
                "modules.f90",
                "generics.rs")
                .stream();
    }

    static Stream<String> programsOfGo() {
        return NamedPrograms.GO.stream();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldTellRowsApartAndSelectThem(String program) throws Exception {
        check(Recording.of(NamedPrograms.of(program)));
    }

    @ParameterizedTest
    @MethodSource("programsOfGo")
    @Soak
    void shouldTellRowsOfGoApartAndSelectThem(String program) throws Exception {
        check(Recording.of(NamedPrograms.of(program)));
    }

    private void check(Path trace) throws Exception {
        LinkedRows linked = LinkedRows.of(directory, trace);
        NameBook names = names(trace);
        for (String key : List.of("function", "symbol", "site", "line")) {
            List<Row> rows = rows(trace, key, List.of());
            assertEquals(
                    linked.by(key), rows.stream().map(Row::sums).sorted().toList(), key + rows);
            checkNames(key, rows, names);
            for (Row row : rows.subList(0, Math.min(SELECTED, rows.size()))) {
                checkSelection(trace, key, row);
            }
        }
        for (Row row : rows(trace, "type", List.of())) {
            checkSelection(trace, "type", row);
        }
    }

    private static NameBook names(Path trace) throws Exception {
        NameBook names = LineDetailOptions.book();
        NameGatherer gatherer = new NameGatherer(names);
        try (TraceReader reader = new TraceReader(trace)) {
            reader.readDefinitions(new FrameSink() {
                @Override
                public void frame(Frame frame) throws TraceFormatException {
                    DefinitionPart.decode(frame, gatherer);
                }

                @Override
                public void close() {
                    // nothing is open
                }
            });
        }
        return names;
    }

    /** No two rows look the same, and a pattern of what one is called matches no other one. */
    private static void checkNames(String key, List<Row> rows, NameBook names) {
        List<String> shown =
                rows.stream().map(row -> row.name() + "  " + row.beside()).toList();
        assertEquals(shown.stream().distinct().toList(), shown, key);
        Set<String> all = rows.stream().map(Row::name).collect(Collectors.toSet());
        for (String name : key.equals("line") ? Set.<String>of() : all) {
            NamePattern pattern = new NamePattern(name, LineDetailOptions.spellings());
            pattern.know(names);
            assertEquals(List.of(name), all.stream().filter(pattern::matches).toList(), key);
        }
    }

    private void checkSelection(Path trace, String key, Row row) throws Exception {
        List<String> selection = new ArrayList<>();
        switch (key) {
            case "function" -> selection.addAll(List.of("--function", row.name()));
            case "line" -> {
                if (row.name().equals("?")) {
                    return;
                }
                selection.addAll(List.of("--line", row.name(), "--function", row.beside()));
            }
            case "symbol" ->
                selection.addAll(List.of("--symbol", row.name(), "--region", row.beside()));
            default -> selection.addAll(List.of("--" + key, row.name()));
        }
        assertEquals(List.of(row), rows(trace, key, selection), selection.toString());
    }

    /** The rows that have accesses. */
    private List<Row> rows(Path trace, String key, List<String> selection) throws Exception {
        List<String> words = new ArrayList<>(List.of("report", "--by", key, "--format", "csv"));
        words.addAll(selection);
        words.addAll(List.of("--blocks-by", "inner")); // as rows of csv are told apart
        if (key.equals("line")) {
            words.add("--exact"); // as rows of csv have it
        }
        words.add(trace.toString());
        List<String> lines = MadtRun.madt(directory, words.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> headings = CsvLine.cells(lines.get(0));
        int name = headings.indexOf(key.equals("site") ? "allocation_site" : key);
        int beside = headings.indexOf(
                switch (key) {
                    case "function" -> "module";
                    case "line" -> "function";
                    default -> "region";
                });
        List<Row> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = CsvLine.cells(line);
            Sums sums = new Sums(
                    Long.parseLong(cells.get(headings.indexOf("loads"))),
                    Long.parseLong(cells.get(headings.indexOf("stores"))),
                    Long.parseLong(cells.get(headings.indexOf("bytes"))));
            if (sums.loads() + sums.stores() > 0 && !cells.get(name).equals("(no block)")) {
                rows.add(new Row(cells.get(name), beside < 0 ? "" : cells.get(beside), sums));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespaces|type|Item;a::Item;a::Item[3];b::Item;b::Item[5];b::inner::Item",
                "namespaces|function|a::Item::price;b::Item::price",
                "templates|function|largest<double>;largest<int>;largest<long>;std::_Rb_tree<…,"
                        + " std::pair<int const, P>, …>::_S_left",
                "lambdas|function|main::{lambda at lambdas.cpp:39};"
                        + "main::{lambda at lambdas.cpp:43};"
                        + "main::{lambda#4 at lambdas.cpp:53};main::{lambda#5 at lambdas.cpp:53};"
                        + "twice(…)::{lambda at lambdas.cpp:30}",
                "closures.rs|function|closures::main::{closure at closures.rs:12};"
                        + "closures::main::{closure at closures.rs:13}",
                "hidden|type|(anonymous namespace)::Entry;(anonymous namespace)::Entry"
                        + " {hidden_too.cpp:4}",
                "local|type|first::Local;second::Local;third<int>::Local;third<long int>::Local",
                "overloads|function|add(int);add(long);add(Money const&);add(int, int)",
                "headers|line|one/part.h:7;two/part.h:7",
                "modules.f90|symbol|grid_mod::field;wave_mod::field",
                "modules.f90|function|grid_mod::fill;wave_mod::fill",
                "modules.f90|type|type(point);type(point) {modules.f90:*",
                "modules|function|helper;libshelf.so:helper;two/libshelf.so:helper",
            })
    void shouldShowWhatTellsThemApart(String program, String key, String expected)
            throws Exception {
        Set<String> names = new TreeSet<>();
        rows(Recording.of(NamedPrograms.of(program)), key, List.of())
                .forEach(row -> names.add(row.name()));
        for (String name : expected.split(";")) {
            boolean found = name.endsWith("*")
                    ? names.stream()
                            .anyMatch(row -> row.startsWith(name.substring(0, name.length() - 1)))
                    : names.contains(name);
            assertTrue(found, name + " is not among " + names);
        }
    }
}
