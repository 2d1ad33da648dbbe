package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Millions of blocks that live at once: 5 million, in the soak profile 50 million. Every access to them is named, and memory follows their number. */
class LiveBlocksIT {
    private static final long BLOCKS = Boolean.getBoolean("madt.soak") ? 50_000_000 : 5_000_000;
    private static final long KIB_OF_BLOCKS = BLOCKS * 32 / 1024;
    private static final long MIB = 1024;

    @TempDir
    Path directory;

    /** What a command prints, and its VmHWM in KiB as it was last seen. */
    private record Measured(String output, long peak) {}

    private Measured madt(String... arguments) throws Exception {
        Path out = directory.resolve("out.txt");
        Path errors = directory.resolve("errors.txt");
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, MadtRun.launcher().toString());
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
        long peak = 0;
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(30);
        do {
            peak = Math.max(peak, peak(process.pid()));
            assertTrue(System.nanoTime() < end, "a command hangs: " + command);
        } while (!process.waitFor(20, TimeUnit.MILLISECONDS));
        assertEquals(0, process.exitValue(), () -> command + ": " + read(errors));
        return new Measured(read(out) + read(errors), peak);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long peak(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream().filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0);
        } catch (IOException e) {
            return 0; // it has ended
        }
    }

    @Test
    void shouldNameEveryAccessToManyLiveBlocks() throws Exception {
        Path trace = directory.resolve("live.madt");
        Measured run = madt("run", "-o", trace.toString(), MadtRun.program("live_blocks").toString(), Long.toString(BLOCKS));
        assertTrue(run.output().startsWith(BLOCKS * (BLOCKS - 1) / 2 + "\n"), run.output());
        assertTrue(run.output().contains(" complete\n"), run.output());
        assertTrue(run.peak() < KIB_OF_BLOCKS + 150 * MIB, "the launcher took " + run.peak() / MIB + " MiB");
        Measured report = madt("report", "--by", "site", "--format", "csv", trace.toString());
        List<String> lines = report.output().lines().toList();
        List<String> names = List.of(lines.get(0).split(","));
        String[] site = lines.stream().filter(line -> line.contains("<malloc@main+")).findFirst().orElseThrow(() -> new AssertionError(lines)).split(",");
        String[][] expected = {{"loads", 2 * BLOCKS + ""}, {"stores", 2 * BLOCKS + ""}, {"blocks", BLOCKS + ""}, {"allocated", 24 * BLOCKS + ""},
            {"alive", BLOCKS + ""}};
        for (String[] column : expected) {
            int index = names.indexOf(column[0]);
            assertTrue(index >= 0, names::toString);
            assertEquals(column[1], site[index], column[0]);
        }
        long most = KIB_OF_BLOCKS + KIB_OF_BLOCKS / 4 + 120 * MIB;
        assertTrue(report.peak() < most, "the report took " + report.peak() / MIB + " MiB");
    }
}
