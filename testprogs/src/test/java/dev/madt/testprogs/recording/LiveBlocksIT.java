package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.MeasuredRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Millions of blocks that live at once: a million, in the soak profile 50 million. Every access to
 * them is named, and memory follows their number.
 */
class LiveBlocksIT {
    private static final long BLOCKS = Tier.of(50_000_000L, 1_000_000);
    private static final long KIB_OF_BLOCKS = BLOCKS * 32 / 1024;
    private static final long MIB = 1024;
    private static final long EXCHANGED = Tier.of(2_000_000L, 20_000);
    private static final long ROUNDS = Tier.of(100_000L, 1_000);

    @TempDir
    Path directory;

    private MeasuredRun madt(String... arguments) throws Exception {
        return MeasuredRun.madt(directory, List.of(arguments));
    }

    @Test
    void shouldNameEveryAccessToManyLiveBlocks() throws Exception {
        Path trace = directory.resolve("live.madt");
        MeasuredRun run = madt(
                "run",
                "-o",
                trace.toString(),
                MadtRun.program("live_blocks").toString(),
                Long.toString(BLOCKS));
        assertTrue(run.output().startsWith(BLOCKS * (BLOCKS - 1) / 2 + "\n"), run.output());
        assertTrue(run.errors().contains(" complete\n"), run.errors());
        assertTrue(
                run.peak() < KIB_OF_BLOCKS + 150 * MIB,
                "the launcher took " + run.peak() / MIB + " MiB");
        MeasuredRun report = madt("report", "--by", "site", "--format", "csv", trace.toString());
        assertSite(
                report.output(),
                "main",
                Map.of(
                        "loads",
                        2 * BLOCKS,
                        "stores",
                        2 * BLOCKS,
                        "blocks",
                        BLOCKS,
                        "allocated",
                        24 * BLOCKS,
                        "alive",
                        BLOCKS));
        long most = KIB_OF_BLOCKS + KIB_OF_BLOCKS / 4 + 120 * MIB;
        assertTrue(report.peak() < most, "the report took " + report.peak() / MIB + " MiB");
    }

    /** The row of the blocks that a function has allocated. */
    private static void assertSite(String report, String function, Map<String, Long> expected) {
        List<String> lines = report.lines().toList();
        List<String> names = List.of(lines.get(0).split(","));
        String[] site = lines.stream()
                .filter(line -> line.contains("<malloc@" + function + "+"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines))
                .split(",");
        expected.forEach((name, value) -> {
            int index = names.indexOf(name);
            assertTrue(index >= 0, names::toString);
            assertEquals(Long.toString(value), site[index], () -> function + ": " + name);
        });
    }

    @Test
    void shouldNameBlocksThatThreadsTakeFromEachOther() throws Exception {
        Path trace = directory.resolve("exchange.madt");
        MeasuredRun run = madt(
                "run",
                "-o",
                trace.toString(),
                MadtRun.program("threads/exchange").toString(),
                "20",
                Long.toString(EXCHANGED),
                Long.toString(ROUNDS));
        assertTrue(run.errors().contains(" complete\n"), run.errors());
        String report = madt("report", "--by", "site", "--format", "csv", trace.toString())
                .output();
        assertFalse(report.contains("<freed"), report);
        List<String[]> sites = run.output()
                .lines()
                .filter(line -> line.startsWith("site "))
                .map(line -> line.split(" "))
                .toList();
        assertEquals(4, sites.size(), run::output);
        for (String[] told : sites) {
            assertSite(
                    report,
                    told[1],
                    Map.of(
                            "loads",
                            Long.valueOf(told[2]),
                            "stores",
                            Long.valueOf(told[3]),
                            "blocks",
                            Long.valueOf(told[4]),
                            "alive",
                            Long.valueOf(told[5])));
        }
    }

    /** Runs a command with so little memory that the blocks do not fit; returns what it says. */
    private String limited(int status, String size, String... arguments) throws Exception {
        Path out = directory.resolve("limited.txt");
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, MadtRun.launcher().toString());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("MADT_MEMORY", size);
        int ended = builder.start().waitFor();
        String said = Files.readString(out);
        assertEquals(status, ended, said);
        return said;
    }

    @Test
    @Soak
    void shouldSayWhichLimitWasMetAndKeepWhatWasRecorded() throws Exception {
        String trace = directory.resolve("limited.madt").toString();
        String run = limited(
                0, "48m", "run", "-o", trace, MadtRun.program("live_blocks").toString(), "3000000");
        assertTrue(run.startsWith("4499998500000\n"), run);
        assertTrue(
                run.contains("children of fork begin without the blocks of this process")
                        && run.contains("MADT_MEMORY=SIZE"),
                run);
        assertTrue(run.contains(" complete\n"), run); // the trace does without the table of blocks
        String report = limited(1, "64m", "report", "--by", "site", trace);
        assertTrue(
                report.contains("MadT's own limit of ") && report.contains("MADT_MEMORY=8g"),
                report);
        String whole = madt("report", "--by", "site", "--format", "csv", trace).output();
        assertSite(
                whole,
                "main",
                Map.of(
                        "loads",
                        6_000_000L,
                        "stores",
                        6_000_000L,
                        "blocks",
                        3_000_000L,
                        "alive",
                        3_000_000L));
    }
}
