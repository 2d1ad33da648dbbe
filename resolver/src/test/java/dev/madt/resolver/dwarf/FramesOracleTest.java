package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.SourceFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines and inlined functions of every instruction, against llvm-symbolizer. Its answer is the
 * reference where addr2line gives another: addr2line (2.40) leaves out inlined functions whose
 * ranges lie in the cold part of the outer one, gives some inlined functions the name of the outer
 * one, and reads the wrong file from version 5 tables with many directories; how often the two
 * agree is printed. In one thing llvm-symbolizer does not speak for the debug information: the name
 * of the outermost function comes from the symbol table, so that constructors and functions without
 * DW_AT_linkage_name are compared by their demangled names.
 */
class FramesOracleTest {
    private static final String LIBC = "/lib/x86_64-linux-gnu/libc.so.6";

    @TempDir
    Path folder;

    @BeforeAll
    static void needTools() {
        Assumptions.assumeTrue(SampleProgram.installed("llvm-symbolizer"), "no llvm-symbolizer");
    }

    static Stream<SampleProgram> programs() throws IOException {
        return SampleProgram.allAnd(
                "inlined.cpp", "cpp.cpp", "disparity.c", "sorting.c", "heap.c", "letters.c");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldFindTheChainOfEveryInstruction(SampleProgram sample) throws Exception {
        Path program = sample.build(folder);
        List<Long> addresses = SampleProgram.instructions(program);
        int known = compare(program, addresses);
        assertTrue(
                known >= 10,
                known + " of " + addresses.size()); // the least has 11, beside what crt1.o brings
    }

    @ParameterizedTest
    @MethodSource("forms")
    void shouldReadOtherWaysToStoreIt(String option) throws Exception {
        Path program = new SampleProgram("inlined.cpp", "gcc", "-O2", "-gdwarf-5")
                .build(folder, option.split(" "));
        List<Long> addresses = SampleProgram.instructions(program);
        assertTrue(compare(program, addresses) > addresses.size() / 2);
    }

    static Stream<String> forms() {
        return Stream.of(
                "-gdwarf64 -gz=none",
                "-fdebug-types-section -gz=none",
                "-ffunction-sections -Wl,--gc-sections",
                "-no-pie",
                "-gdwarf-3",
                "-gdwarf-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "zstd"})
    void shouldUnpackSections(String way) throws Exception {
        Path program = new SampleProgram("inlined.cpp", "gcc", "-O2", "-gdwarf-5").build(folder);
        DebugInfo plain = DebugInfo.open(program, text -> {});
        Path packed = folder.resolve("packed");
        CommandOutput.lines(
                "objcopy",
                "--compress-debug-sections=" + way,
                program.toString(),
                packed.toString());
        assertTrue(CommandOutput.lines("readelf", "-t", packed.toString()).stream()
                .anyMatch(line -> line.contains(way.equals("zlib") ? "ZLIB" : "ZSTD")));
        DebugInfo info = DebugInfo.open(packed, Assertions::fail);
        for (long address : SampleProgram.instructions(program)) {
            assertEquals(
                    plain.frames(address),
                    info.frames(address),
                    () -> "0x" + Long.toHexString(address));
        }
    }

    @Test
    void shouldFollowDwzIntoItsSupplementaryFile() throws Exception {
        Assumptions.assumeTrue(SampleProgram.installed("dwz"), "no dwz");
        Path first = new SampleProgram("inlined.cpp", "gcc", "-O2", "-gdwarf-5").build(folder);
        DebugInfo plain = DebugInfo.open(first, text -> {});
        Path second = Files.copy(first, folder.resolve("second"));
        Path third = Files.copy(first, folder.resolve("third"));
        CommandOutput.lines(
                "dwz",
                "-m",
                folder.resolve("common.debug").toString(),
                second.toString(),
                third.toString());
        assertTrue(Files.exists(folder.resolve("common.debug")));
        DebugInfo info = DebugInfo.open(second, Assertions::fail);
        for (long address : SampleProgram.instructions(first)) {
            assertEquals(
                    plain.frames(address),
                    info.frames(address),
                    () -> "0x" + Long.toHexString(address));
        }
    }

    @Test
    void shouldReadLibcsSeparateFile() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(Path.of(LIBC)) && DebugInfo.open(Path.of(LIBC), text -> {}) != null,
                "no libc6-dbg");
        Random random = new Random(20261121);
        List<ElfSymbol> functions = ElfModule.open(Path.of(LIBC)).functions().stream()
                .filter(function -> function.size() > 0 && !function.name().endsWith("@plt"))
                .toList();
        List<Long> addresses = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            ElfSymbol function = functions.get(random.nextInt(functions.size()));
            addresses.add(function.address() + random.nextLong(function.size()));
        }
        int known = compare(Path.of(LIBC), addresses);
        assertTrue(known > 900, known + " of 1000");
    }

    /** Compares all chains; returns how many addresses have one. */
    private static int compare(Path program, List<Long> addresses) throws Exception {
        List<String> warnings = new ArrayList<>();
        DebugInfo info = DebugInfo.open(program, warnings::add);
        assertNotNull(info, program.toString());
        List<List<Symbolizer.Level>> expected = Symbolizer.llvm(program, addresses);
        List<List<Symbolizer.Level>> other = Symbolizer.binutils(program, addresses);
        int known = 0;
        int same = 0;
        OuterNames names = new OuterNames();
        for (int i = 0; i < addresses.size(); i++) {
            List<SourceFrame> frames = info.frames(addresses.get(i));
            same += levels(expected.get(i)).equals(levels(other.get(i))) ? 1 : 0;
            known += frames.isEmpty() ? 0 : 1;
            compare("0x" + Long.toHexString(addresses.get(i)), expected.get(i), frames, names);
        }
        names.check();
        assertEquals(List.of(), warnings);
        System.out.println(program + ": " + addresses.size() + " addresses, " + known
                + " with lines, addr2line agrees on " + same);
        return known;
    }

    private static void compare(
            String at,
            List<Symbolizer.Level> expected,
            List<SourceFrame> frames,
            OuterNames names) {
        if (frames.isEmpty()) {
            assertTrue(expected.get(0).place().endsWith(":0"), at + " is at " + expected);
            return;
        }
        assertEquals(
                expected.stream().map(Symbolizer.Level::place).toList(),
                frames.stream()
                        .map(frame ->
                                (frame.file() == null ? "??" : frame.file()) + ":" + frame.line())
                        .toList(),
                at);
        int last = frames.size() - 1;
        assertEquals(
                expected.subList(0, last).stream()
                        .map(Symbolizer.Level::function)
                        .toList(),
                frames.subList(0, last).stream().map(SourceFrame::symbol).toList(),
                at);
        names.add(at, expected.get(last).function(), frames.get(last));
    }

    private static List<String> levels(List<Symbolizer.Level> chain) {
        return chain.stream()
                .map(level -> level.function() + " " + level.place().replaceAll(":(\\?|0)$", ""))
                .toList();
    }

    /** Names of outermost functions that are not letter for letter the symbol table's. */
    private static final class OuterNames {
        private final List<String> places = new ArrayList<>();
        private final List<String> symbols = new ArrayList<>();
        private final List<String> own = new ArrayList<>();

        void add(String at, String symbol, SourceFrame frame) {
            if (!symbol.equals("??")
                    && frame.function() != null
                    && !symbol.equals(frame.symbol())) {
                places.add(at);
                symbols.add(symbol);
                own.add(frame.symbol());
            }
        }

        void check() throws Exception {
            List<String> expected = demangled(symbols);
            List<String> given = demangled(own);
            for (int i = 0; i < places.size(); i++) {
                String at = places.get(i) + ": " + given.get(i) + ", in the symbol table "
                        + expected.get(i);
                String bare = given.get(i)
                        .replaceFirst("^.*::(?=[^(]*\\()|^__GI_+|^_+", "")
                        .replaceFirst("\\(.*|^~.*", "");
                assertTrue(
                        expected.get(i).contains(bare) || alias(expected.get(i), given.get(i)), at);
            }
        }

        /** Libraries give a function further names, which share nothing with that in the source. */
        private static boolean alias(String symbol, String name) {
            return !symbol.startsWith("_Z") && !name.startsWith("_Z") && !symbol.contains("(");
        }

        private static List<String> demangled(List<String> names) throws Exception {
            Path input = Files.createTempFile("madt-names", ".txt");
            try {
                Files.write(input, names);
                return names.isEmpty()
                        ? names
                        : CommandOutput.lines("sh", "-c", "c++filt < " + input);
            } finally {
                Files.delete(input);
            }
        }
    }
}
