package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.debug.DebugSections;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.SourceFrame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A program with 1,000 units and more than 100 MB of debug information, in a JVM with little
 * memory. With {@code -Dmadt.soak=true} the time counts too.
 */
@Isolated("it measures time")
class LargeProgramTest {
    private static final int UNITS = 1000;
    private static final int ADDRESSES = 1000;

    @TempDir
    Path folder;

    @Test
    void shouldNameAThousandAddressesWithLittleMemory() throws Exception {
        Path program = build();
        int size = DebugSections.of(program).get(".debug_info").limit();
        assertTrue(size > 100_000_000, size + " bytes");
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        List<String> output = CommandOutput.lines(
                java,
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                LargeProgramTest.class.getName(),
                program.toString());
        System.out.println(size + " bytes of .debug_info, " + String.join(", ", output));
        assertEquals(ADDRESSES, Integer.parseInt(output.get(0).split(" ")[0]), output.toString());
    }

    /** All functions are local, so that one object file can be linked a thousand times. */
    private Path build() throws Exception {
        StringBuilder source = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            source.append("struct s")
                    .append(i)
                    .append(" { int a; long b[3]; char *c; struct s")
                    .append(i)
                    .append(" *next; double d; short e, f; } v")
                    .append(i)
                    .append("_(void);\n");
        }
        for (int i = 0; i < 100; i++) {
            source.append("static inline int in")
                    .append(i)
                    .append("(int x) { return x * ")
                    .append(i + 3)
                    .append("; }\n")
                    .append("__attribute__((used, noinline)) static int f")
                    .append(i)
                    .append("(int a, struct s")
                    .append(i)
                    .append(" *p) {\n\tint sum = in")
                    .append(i)
                    .append("(a);\n\tfor (int i = 0; i < a; i++)\n\t\tsum += p[i].a;\n")
                    .append("\treturn sum;\n}\n");
        }
        Path unit = Files.writeString(folder.resolve("unit.c"), source);
        Path object = folder.resolve("unit.o");
        CommandOutput.lines(
                "gcc",
                "-g",
                "-O1",
                "-fno-eliminate-unused-debug-types",
                "-c",
                unit.toString(),
                "-o",
                object.toString());
        Path main = Files.writeString(folder.resolve("main.c"), "int main(void) { return 0; }\n");
        Path program = folder.resolve("large");
        List<String> link =
                new ArrayList<>(List.of("gcc", "-g", "-o", program.toString(), main.toString()));
        link.addAll(Collections.nCopies(UNITS, object.toString()));
        CommandOutput.lines(link.toArray(String[]::new));
        return program;
    }

    /** Without the file and the address that tell local functions of one name apart. */
    private static String bare(ElfSymbol function) {
        return function.name().replaceFirst("^.*::", "").replaceFirst("@0x[0-9a-f]+$", "");
    }

    /**
     * Names random addresses; prints how many were named, the milliseconds, and the same for one
     * address alone and for variables.
     */
    public static void main(String[] arguments) throws Exception {
        Path program = Path.of(arguments[0]);
        List<ElfSymbol> functions = ElfModule.open(program).functions().stream()
                .filter(function -> bare(function).matches("f\\d+") && function.size() > 9)
                .toList();
        Random random = new Random(5);
        long start = System.nanoTime();
        DebugInfo info = DebugInfo.open(program, System.out::println);
        long first = 0;
        int named = 0;
        for (int i = 0; i < ADDRESSES; i++) {
            ElfSymbol function = functions.get(random.nextInt(functions.size()));
            List<SourceFrame> frames =
                    info.frames(function.address() + random.nextLong(function.size()));
            boolean right = !frames.isEmpty()
                    && frames.get(frames.size() - 1).function().equals(bare(function))
                    && frames.get(0).file().endsWith("unit.c")
                    && frames.get(0).line() > 0;
            named += right ? 1 : 0;
            first = i == 0 ? (System.nanoTime() - start) / 1_000_000 : first;
        }
        long all = (System.nanoTime() - start) / 1_000_000;
        start = System.nanoTime();
        info.variable(functions.get(0).address());
        System.out.println(named + " addresses\n" + all + " ms\nthe first one " + first
                + " ms\nthe index of variables " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
}
