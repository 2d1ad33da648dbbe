package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.local.Local;
import dev.madt.testing.RequiredOracles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares what compilers split off from debug information with a program that has all of it. */
class SplitFileTest {
    private static final Path SOURCES = Path.of("src/test/c");
    /** Every so many instructions are enough to see that a file was found. */
    private static final int FEW = 100;

    private static final Set<Local.Base> POINTS = Set.of(Local.Base.POINTER, Local.Base.NONE);

    @TempDir
    Path folder;

    /** Compiles two sources into one program, whose code is the same in either way. */
    private Path build(String name, String compiler, String... more) throws Exception {
        Path own = Files.createDirectory(folder.resolve(name));
        List<String> link = new ArrayList<>(List.of(compiler, "-o", own.resolve("program") + ""));
        for (String source : new String[] {"layouts.cpp", "inlined.cpp"}) {
            Path object = own.resolve(source.replace(".cpp", ".o"));
            List<String> command =
                    new ArrayList<>(List.of(compiler, "-g", "-gdwarf-5", "-c", "-w"));
            command.addAll(List.of(more));
            if (source.startsWith("inlined")) {
                command.add("-Dmain=other_main");
            }
            command.addAll(List.of("-o", object + "", SOURCES.resolve(source) + ""));
            CommandOutput.lines(command.toArray(String[]::new));
            link.add(object + "");
        }
        CommandOutput.lines(link.toArray(String[]::new));
        return own.resolve("program");
    }

    /**
     * Tells what is known, but of variables that point to something without memory their names
     * alone: gcc leaves out where that stands.
     */
    private static String told(DebugInfo info, long address) {
        List<String> locals = info.locals(address).stream()
                .map(local -> POINTS.contains(local.base()) ? local.name() : local.toString())
                .toList();
        return info.frames(address) + "\n" + locals + "\n" + info.signature(address);
    }

    private static void compare(Path plain, Path split, int step) throws Exception {
        DebugInfo expected = DebugInfo.open(plain, Assertions::fail);
        DebugInfo found = DebugInfo.open(split, Assertions::fail);
        List<Long> addresses = SampleProgram.instructions(plain);
        assertEquals(addresses, SampleProgram.instructions(split));
        for (int i = 0; i < addresses.size(); i += step) {
            assertEquals(told(expected, addresses.get(i)), told(found, addresses.get(i)));
        }
        int types = 0;
        for (String line : CommandOutput.lines("nm", "-S", plain.toString())) {
            String[] words = line.split(" ");
            if (words.length == 4 && words[2].matches("[bBdDrR]")) {
                long address = Long.parseLong(words[0], 16);
                String variable = "" + expected.variable(address);
                assertEquals(variable, "" + found.variable(address), line);
                types += variable.equals("null") ? 0 : 1;
            }
        }
        assertTrue(types > 10, types + " variables");
    }

    private static void pack(Path program) throws Exception {
        CommandOutput.lines("llvm-dwp", "-e", "" + program, "-o", program + ".dwp");
        Files.delete(program.resolveSibling("layouts.dwo"));
        Files.delete(program.resolveSibling("inlined.dwo"));
    }

    @ParameterizedTest
    @CsvSource({
        "g++, -O2 -gz=zlib",
        "g++, -O0 -fdebug-types-section -gz=none",
        "clang++, -O2 -gz=none"
    })
    void shouldReadBothParts(String compiler, String options) throws Exception {
        Assumptions.assumeTrue(RequiredOracles.areRequired() || SampleProgram.installed(compiler));
        Path plain = build("plain", compiler, options.split(" "));
        Path split = build("split", compiler, (options + " -gsplit-dwarf").split(" "));
        compare(plain, split, 1);
        Path moved = Files.move(split.getParent(), folder.resolve("moved")).resolve("program");
        compare(plain, moved, FEW);
        boolean packs = RequiredOracles.areRequired() || SampleProgram.installed("llvm-dwp");
        if (packs && compiler.equals("clang++")) { // llvm-dwp hangs on gcc's
            Files.move(moved.getParent(), split.getParent());
            pack(split);
            compare(plain, split, FEW);
        }
    }

    private List<String> warnings(Path program) throws Exception {
        List<String> warnings = new ArrayList<>();
        DebugInfo info = DebugInfo.open(program, warnings::add);
        long lines = SampleProgram.instructions(program).stream()
                .filter(address -> !info.frames(address).isEmpty())
                .count();
        assertTrue(lines > 100, lines + " lines");
        return warnings;
    }

    @Test
    void shouldSayWhatIsNotThereOrOfAnotherCompilation() throws Exception {
        Path program = build("split", "g++", "-O1", "-gsplit-dwarf");
        String start =
                program + ": debug information: variables and types of a unit are not known: ";
        Path one = program.resolveSibling("layouts.dwo");
        Path other = program.resolveSibling("inlined.dwo");
        Files.copy(one, program.resolveSibling("kept"));
        Files.delete(one);
        assertEquals(List.of(start + one + " is not there"), warnings(program));
        Files.copy(other, one);
        assertEquals(List.of(start + one + " is of another compilation"), warnings(program));
        Files.write(one, new byte[100]);
        assertEquals(1, warnings(program).size());
        Files.delete(one);
        Files.move(program.resolveSibling("kept"), one);
        assertEquals(List.of(), warnings(program));
        Files.write(program.resolveSibling("program.dwp"), new byte[100]);
        assertTrue(warnings(program).get(0).startsWith(start), "a package that is none");
    }
}
