package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.testing.Tier;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.Recording;
import dev.madt.testprogs.TextTrace;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every access by a test program's own code has a name: a symbol or a block. The exceptions: what
 * the compiler itself puts into .rodata without giving it a symbol: floating-point constants,
 * string literals and jump tables, which stay {@code [.rodata]+N}; and slots of the global offset
 * table, which the linker adds. Code has a name too, but for the two instructions at the head of
 * .plt, which belong to no function.
 */
class NamesIT {
    static Stream<String> programs() {
        return Stream.of(
                        "allocations",
                        "atomics",
                        "bits",
                        "cpp",
                        "disparity",
                        "dispatch",
                        "early",
                        "freed",
                        "globals",
                        "heap",
                        "letters",
                        "libcheavy",
                        "matrix",
                        "modify",
                        "operands",
                        "straddle",
                        "stringops",
                        "strings",
                        "vector",
                        "x87")
                .flatMap(name -> Stream.of(name + ".O0", name + ".O2")
                        .skip(Tier.of(0, name.length() % 2))
                        .limit(Tier.of(2, 1)));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldNameAllThatTheProgramTouches(String name) throws Exception {
        ProgramFile program = new ProgramFile(MadtRun.program(name));
        Path trace = Recording.of(program.path());
        TraceInvariants invariants = TraceFile.check(trace);
        assertEquals(
                name.startsWith("freed"), invariants.deadAccesses() > 0, "accesses to dead blocks");
        long bias = TraceFile.read(trace, new OwnAccesses(program)).bias();
        checkNames(
                TextTrace.parse(Recording.lines(trace, LineOptions.BOTH)),
                program,
                Disassembly.of(program.path()),
                bias,
                name);
    }

    private static void checkNames(
            TextTrace text, ProgramFile program, Disassembly disassembly, long bias, String name) {
        int named = 0;
        int constants = 0;
        for (TextTrace.Pair pair : text.pairs()) {
            if (!pair.raw().isAccess() || !program.isCode(pair.raw().rawCode() - bias)) {
                continue;
            }
            String data = pair.symbolic().fields()[0];
            if (data.startsWith("[.rodata]+")
                    || isGlobalOffset(data, disassembly.at(pair.raw().rawCode() - bias))) {
                constants++;
            } else {
                assertTrue(
                        !data.startsWith("["),
                        () -> "no name: " + data + " by " + pair.symbolic().last());
                named++;
            }
            String code = pair.symbolic().last();
            String instruction = disassembly.at(pair.raw().rawCode() - bias);
            assertTrue(
                    !code.startsWith("[") || instruction.contains("_GLOBAL_OFFSET_TABLE_"),
                    () -> "code without a name: " + code + " {" + instruction + "}");
        }
        assertTrue(named > 0, "no access of its own code");
        System.out.printf(
                "%s: %,d own accesses named, %,d constants of the compiler and linker%n",
                name, named, constants);
    }

    /**
     * objdump writes what a slot is for behind the instruction: {@code # 3fe0
     * <__cxa_finalize@GLIBC_2.2.5>}.
     */
    private static boolean isGlobalOffset(String data, String instruction) {
        return data.startsWith("[.relro]+") && instruction.matches(".*# [0-9a-f]+ <.*@.*>");
    }
}
