package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.AddressRanges;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of variables on stacks in lines, tables and selections. */
class StackNamesIT {
    /** Holds functions of the program, in all spellings. */
    private static final Pattern OWN =
            Pattern.compile("(main|doubled|run|shop::.*|_ZN4shop.*|_ZL\\w+):[^,+]*");

    private static final Pattern LINE = Pattern.compile("[LS]\\$\\d+:(.*),(\\[[^,]*\\]),[^,]*");

    private static final Pattern STORE =
            Pattern.compile(".*,(\\[[^,]*\\]),(on_\\w+|in_child|beside|again)\\+\\d+");

    @TempDir
    Path directory;

    private String record(String... options) throws Exception {
        Path program = directory.resolve("stacks");
        List<String> build = new ArrayList<>(List.of("g++", "-pthread", "-o", program.toString()));
        build.addAll(List.of(options));
        build.add(MadtRun.root().resolve("testprogs/names/stacks.cpp").toString());
        MadtRun.command(directory, build).expect(0);
        String trace = directory.resolve("stacks.madt").toString();
        MadtRun.madt(directory, "run", "--stack", "-qf", "-o", trace, "--", program.toString())
                .expect(0);
        return trace;
    }

    private String text(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** Counts the lines that name each of the own things on stacks, without offsets. */
    private static Map<String, Integer> named(String lines) {
        Map<String, Integer> counts = new TreeMap<>();
        lines.lines().forEach(line -> {
            Matcher matcher = LINE.matcher(line);
            String name = matcher.matches() ? matcher.group(1).replaceFirst("\\+\\d+$", "") : "";
            if (OWN.matcher(name).matches() && !name.contains(":frame-")) {
                counts.merge(name, 1, Integer::sum);
            }
        });
        return counts;
    }

    /** Records threads on stacks of all origins; returns what they say of them. */
    private String recordStacks(String program) throws Exception {
        String said = MadtRun.madt(directory, "run", "--stack", "-q", "--", program)
                .expect(0)
                .text();
        assertEquals(Map.of("in_child", "[stack]"), regionsByFunction(process(program, false)));
        assertEquals(
                Map.of(
                        "on_stack", "[stack]",
                        "on_kept", "[stack]",
                        "on_heap", "[heap]",
                        "on_static", "[.bss]",
                        "on_mapped", "[anon]",
                        "beside", "[anon]",
                        "again", "[anon]"),
                regionsByFunction(process(program, true)));
        return said;
    }

    /** Returns the trace of the first process, or of the other one. */
    private String process(String program, boolean first) throws Exception {
        String name = Path.of(program).getFileName().toString();
        try (Stream<Path> files = Files.list(directory)) {
            List<String> traces = files.map(Path::toString)
                    .filter(file -> file.matches(".*/" + name + "\\.\\d+\\.madt"))
                    .sorted(Comparator.comparingInt(String::length)
                            .thenComparing(String::compareTo))
                    .toList();
            assertEquals(2, traces.size(), traces.toString());
            return traces.get(first ? 0 : 1);
        }
    }

    /** Returns the regions that each function stores to which does nothing else. */
    private Map<String, String> regionsByFunction(String trace) throws Exception {
        Map<String, Set<String>> regions = new TreeMap<>();
        for (String line : text("print", "--kind", "store", trace).lines().toList()) {
            Matcher matcher = STORE.matcher(line);
            if (matcher.matches()) {
                regions.computeIfAbsent(matcher.group(2), absent -> new TreeSet<>())
                        .add(matcher.group(1));
            }
        }
        return regions.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> String.join(" ", entry.getValue())));
    }

    /** Says that what lies in a stack is called so, whoever accesses it when, and nothing else. */
    @Test
    void shouldCallStacksOfThreadsSo() throws Exception {
        String said = recordStacks(MadtRun.program("threads/own_stacks").toString());
        String trace = process("own_stacks", true);
        AddressRanges stacks = ranges(said, "stack");
        AddressRanges large = ranges(said, "large");
        int inStacks = 0;
        String[] lines = text("print", "--both", "--kind", "access", trace).split("\n");
        for (int i = 0; i + 1 < lines.length; i += 2) {
            long address = Long.decode(lines[i + 1].replaceAll("^[^:]*:|,.*", ""));
            boolean named = lines[i].contains(",[stack],");
            inStacks += named ? 1 : 0;
            assertTrue(
                    stacks.contains(address) ? named : !named || large.contains(address),
                    lines[i] + " " + lines[i + 1]);
        }
        assertTrue(inStacks > 2000, inStacks + " accesses to stacks");
        assertTrue(text("report", "--by", "region", "--region", "[stack]", trace)
                .lines()
                .anyMatch(line -> line.endsWith("[stack]")));
    }

    private static AddressRanges ranges(String said, String what) {
        AddressRanges ranges = new AddressRanges();
        said.lines()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(what))
                .forEach(words ->
                        ranges.add(Long.parseLong(words[1], 16), Long.parseLong(words[2], 16)));
        return ranges;
    }

    /** The C library's call of mmap looks like the program's there. */
    @Test
    void shouldCallStacksOfThreadsSoInAStaticProgram() throws Exception {
        Path program = directory.resolve("linked");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-g",
                                "-O1",
                                "-static",
                                "-o",
                                program.toString(),
                                MadtRun.root()
                                        .resolve("testprogs/threads/own_stacks.c")
                                        .toString()))
                .expect(0);
        recordStacks(program.toString());
    }

    @Test
    void shouldSelectEachRowByItsName() throws Exception {
        String trace = record("-g", "-O0");
        Map<String, Integer> rows = new TreeMap<>();
        String table = text("report", "--by", "symbol", "--format", "csv", trace);
        List<String> lines = table.lines().toList();
        List<String> columns = List.of(lines.get(0).split(","));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            String name = cells[columns.indexOf("symbol")];
            if (OWN.matcher(name).matches()) {
                rows.put(
                        name,
                        Integer.parseInt(cells[columns.indexOf("loads")])
                                + Integer.parseInt(cells[columns.indexOf("stores")]));
            }
        }
        assertTrue(rows.keySet().containsAll(List.of("run:cells", "main:item")), rows.toString());
        assertTrue(
                rows.keySet()
                        .containsAll(List.of(
                                "shop::total:box",
                                "shop::total:sums",
                                "shop::total:return",
                                "main:saved rbp",
                                "shop::Box<…>::find:chosen")),
                rows.toString());
        assertEquals(named(text("print", trace)).size(), rows.size());
        for (Map.Entry<String, Integer> row : rows.entrySet()) {
            String selected = text("print", "--symbol", row.getKey(), trace);
            long count = selected.lines()
                    .filter(line -> LINE.matcher(line).matches())
                    .count();
            assertEquals(row.getValue(), (int) count, row.getKey());
            assertEquals(1, named(selected).size(), selected);
        }
    }

    @Test
    void shouldTakeEverySpellingOfTheFunction() throws Exception {
        String trace = record("-g", "-O2");
        String sums = text("print", "--symbol", "shop::total:sums", trace);
        assertFalse(sums.isEmpty());
        assertEquals(sums, text("print", "--symbol", "_ZN4shop5totalERNS_4ItemEi:sums", trace));
        assertEquals(sums, text("print", "--symbol", "shop::total(shop::Item&, int):sums", trace));
        assertEquals(sums, text("print", "--symbol", "*:sums", trace));
    }

    @Test
    void shouldNameMembersAndTypes() throws Exception {
        String trace = record("-g", "-O0");
        String members = text("report", "--by", "symbol", "--fields", "--wide", trace);
        assertTrue(members.contains(" shop::total:box.items[].weights[] "), members);
        assertTrue(members.contains(" run:cells[] "), members);
        String lines = text("print", "--fields", "--symbol", "run:cells", trace);
        assertTrue(lines.contains(":_ZL3runPv:cells[15],[stack],_ZL7doubledPii+"), lines);
        String types = text("report", "--by", "type", trace);
        assertTrue(Pattern.compile("(?m) double\\[5\\]$").matcher(types).find(), types);
        assertEquals(
                text("print", "--symbol", "shop::total:sums", trace),
                text("print", "--type", "double[5]", trace));
    }

    @Test
    void shouldLeaveWhatHasNoDebugInformationAsItWas() throws Exception {
        String trace = record("-O0");
        String lines = text("print", trace);
        assertEquals(Map.of(), named(lines));
        assertTrue(lines.contains(":main:frame-16,[stack],main+"), lines);
        assertTrue(lines.contains(":[stack]+"), lines);
    }

    @Test
    void shouldSayWhyAccessesHaveNoName() throws Exception {
        String own = text("info", record("-g", "-O0"));
        Matcher line = Pattern.compile(
                        "(?m)^on stacks +[0-9.]+ % by variable, [0-9.]+ % by saved register or"
                                + " return address, of ([0-9,]+) accesses; without a name: .*$")
                .matcher(own);
        assertTrue(line.find(), own);
        assertTrue(own.contains(" % by variable on a stack, "), own);
    }
}
