package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TextTrace;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw and symbolic lines of every letter, and their code offsets against {@code objdump -d}. */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class OffsetsIT {
    @Parameter
    String engine;

    @TempDir
    Path directory;

    private ProgramFile program;
    private Disassembly disassembly;
    private long bias;

    private TextTrace run(String name) throws Exception {
        program = new ProgramFile(MadtRun.program(name));
        disassembly = Disassembly.of(program.path());
        Path text = directory.resolve("lines.txt");
        Path trace = directory.resolve("t.madt");
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "--text",
                        text.toString(),
                        "--both",
                        "-o",
                        trace.toString(),
                        "--",
                        program.path().toString())
                .expect(0);
        TraceFile.check(trace);
        bias = TraceFile.read(trace, new OwnAccesses(program)).bias();
        assertTrue(bias >= 0, "the trace does not show where the program's code lies");
        return TextTrace.parse(Files.readAllLines(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"letters.O2", "letters.nopie", "cpp.O0", "operands.O2"})
    @SoakCases({"letters.O0", "disparity.O0", "disparity.O2"})
    void shouldAgreeWithObjdumpInEveryLineOfTheProgramsCode(String name) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || name.equals("operands.O2"),
                "engine trap takes minutes for all");
        int checked = 0;
        for (TextTrace.Pair pair : run(name).pairs()) {
            long address = pair.raw().rawCode() - bias;
            if (program.isCode(address)) {
                checkCode(pair, address);
                checked++;
            }
        }
        assertTrue(checked > 20, name + ": only " + checked + " lines of its own code");
    }

    private void checkCode(TextTrace.Pair pair, long address) {
        TraceLine.CodeName code = pair.symbolic().code();
        String line = pair.symbolic().text() + " by 0x" + Long.toHexString(address);
        String instruction = disassembly.at(address);
        if (code != null && code.tail()) {
            assertTrue(isCall(disassembly.before(address)), line + " is no return address");
        } else if (pair.symbolic().isAccess()) {
            assertTrue(
                    Disassembly.hasMemoryOperand(instruction),
                    line + " is by '" + instruction + "'");
        } else {
            assertTrue(isCall(instruction), line + " is by '" + instruction + "'");
        }
        if (code != null && disassembly.hasFunction(code.function())) {
            assertEquals(address, disassembly.function(code.function()) + code.offset(), line);
        }
    }

    private static boolean isCall(String instruction) {
        return instruction.startsWith("call") || instruction.startsWith("bnd call");
    }

    @Test
    void shouldNameTheCallOfEveryAllocationAndBulkTransfer() throws Exception {
        Map<String, String> wanted = Map.ofEntries(
                Map.entry("M", "allocate malloc"),
                Map.entry("C", "main calloc"),
                Map.entry("P", "main mmap"),
                Map.entry("R", "main realloc"),
                Map.entry("E", "main mremap"),
                Map.entry("F", "release free,main free"),
                Map.entry("U", "main munmap"),
                Map.entry("Y", "copy memcpy"),
                Map.entry("W", "fill memset,transfer read"),
                Map.entry("G", "transfer write"));
        Map<String, Set<String>> expected = new TreeMap<>();
        for (Map.Entry<String, String> entry : wanted.entrySet()) {
            for (String call : entry.getValue().split(",")) {
                String function = call.split(" ")[0];
                List<Long> offsets = new ArrayList<>();
                disassemblyOf("letters.O0")
                        .offsets(function, "call.*<" + call.split(" ")[1] + "@plt>")
                        .forEach(offsets::add);
                assertEquals(1, offsets.size(), call);
                expected.computeIfAbsent(entry.getKey(), key -> new TreeSet<>())
                        .add(function + "+" + offsets.get(0));
            }
        }
        Map<String, Set<String>> found = new TreeMap<>();
        for (TextTrace.Pair pair : run("letters.O0").pairs()) {
            TraceLine.CodeName code = pair.symbolic().code();
            if (!pair.symbolic().isAccess()
                    && code != null
                    && program.isCode(pair.raw().rawCode() - bias)) {
                found.computeIfAbsent(
                                String.valueOf(pair.symbolic().letter()), key -> new TreeSet<>())
                        .add(code.function() + "+" + code.offset());
            }
        }
        assertEquals(expected, found);
    }

    @Test
    void shouldNameTheLoadAndTheStoreOfEachFunction() throws Exception {
        Set<String> found = new TreeSet<>();
        for (TextTrace.Pair pair : run("letters.O0").pairs()) {
            TraceLine.CodeName code = pair.symbolic().code();
            if (pair.symbolic().isAccess()
                    && Set.of("load_store", "modify").contains(code.function())) {
                found.add(pair.symbolic().letter() + " " + code.function() + "+" + code.offset());
            }
        }
        Set<String> expected = new TreeSet<>();
        disassembly
                .offsets("load_store", "mov +\\(%rdx,%rax,1\\),%rax")
                .forEach(o -> expected.add("L load_store+" + o));
        disassembly
                .offsets("load_store", "mov +%rax,\\(%rdx,%rcx,1\\)|mov +%rax,\\(%rcx,%rdx,1\\)")
                .forEach(o -> expected.add("S load_store+" + o));
        disassembly
                .offsets("modify", "mov +0x.*\\(%rip\\),%rax.*sink")
                .forEach(o -> expected.add("L modify+" + o));
        disassembly
                .offsets("modify", "mov +%rax,0x.*\\(%rip\\).*sink")
                .forEach(o -> expected.add("S modify+" + o));
        assertEquals(
                4, expected.size(), "the compiler made something else of load_store and modify");
        assertEquals(expected, found);
    }

    private static Disassembly disassemblyOf(String name) throws Exception {
        return Disassembly.of(MadtRun.program(name));
    }
}
