package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testing.Soak;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random ones of the functions that {@code madt functions} calls instrumentable are instrumented,
 * and each is called in a process of its own: its instrument is hit there, whatever becomes of the
 * process.
 */
class RandomFunctionsIT {
    private static final int FUNCTIONS = 1000;

    /** An instrument stands behind the endbr64 of an entry. */
    private static final int ENDBR = 4;

    private static final long SEED = 20_220_901;

    @TempDir
    Path directory;

    private record Function(String symbol, long address) {}

    /** Parts that are jumped to have no entry, and what the linker makes is no function. */
    private List<Function> functions(String file) throws Exception {
        List<Function> all = MadtRun.madt(directory, "functions", "--format", "csv", file)
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .filter(row ->
                        row.get(9).equals("yes") && !row.get(1).matches("\\..*|.*(\\.cold|@plt).*"))
                .map(row -> new Function(row.get(1), Long.decode(row.get(3))))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(all, new Random(SEED));
        return all.subList(0, FUNCTIONS);
    }

    /**
     * Returns those that were called without a hit.
     *
     * @param host a program that has the module
     * @param module the end of its path; empty for the program itself
     */
    private List<String> missed(String host, String module, List<Function> functions)
            throws Exception {
        String program = Path.of(host).getFileName().toString();
        String name = module.isEmpty() ? program : module;
        Path folder = Files.createTempDirectory(directory, "hits");
        Files.write(
                folder.resolve("functions"),
                functions.stream().map(it -> Long.toHexString(it.address)).toList());
        Files.write(
                folder.resolve("probes"),
                functions.stream()
                        .map(it -> "'" + name + ":" + it.symbol + "' count")
                        .toList());
        List<String> called = MadtRun.command(
                        folder,
                        List.of(
                                MadtRun.launcher().toString(),
                                "run",
                                "-q",
                                "--start",
                                "load",
                                "--probes",
                                "probes",
                                "--",
                                "env",
                                "LD_PRELOAD=" + MadtRun.program("libcalls_functions.so"),
                                "CALL_MODULE=" + module,
                                "CALL_FILE=functions",
                                host))
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(functions.size(), called.size());
        List<String> missed = new ArrayList<>();
        for (String line : called) {
            String[] words = line.split(" ");
            String trace = program + "." + words[0] + ".madt";
            if (!isHit(folder, trace, Long.parseLong(words[1], 16))) {
                missed.add(words[1]);
            }
        }
        return missed;
    }

    private static boolean isHit(Path folder, String trace, long address) throws Exception {
        return MadtRun.madt(folder, "points", "--format", "csv", trace)
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .filter(row -> !row.get(0).equals("0"))
                .map(row -> Long.decode(row.get(4)))
                .anyMatch(it -> it == address || it == address + ENDBR);
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/lib/x86_64-linux-gnu/libstdc++.so.6, , libstdc++.so.6",
        "/usr/lib/x86_64-linux-gnu/libc.so.6, /usr/bin/perl, libc.so.6",
        "/usr/bin/perl, /usr/bin/perl, ''",
        "/usr/bin/node, /usr/bin/node, ''"
    })
    @Soak
    void shouldHitWhatIsCalledInstrumentable(String file, String host, String module)
            throws Exception {
        String program = host == null ? MadtRun.program("libraries").toString() : host;
        assertEquals(List.of(), missed(program, module, functions(file)));
    }
}
