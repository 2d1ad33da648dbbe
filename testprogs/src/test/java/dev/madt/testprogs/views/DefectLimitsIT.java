package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces that lack the accesses by which a program's defect is seen. */
class DefectLimitsIT {
    private static final int INCOMPLETE = 3;

    @TempDir
    Path directory;

    /** Records it; its status is what it finds in freed memory. */
    private MadtRun record(String trace, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "-o", trace));
        command.addAll(List.of(options));
        command.add("--");
        command.add(MadtRun.program("defects/accesses/read_after_free").toString());
        return MadtRun.told(directory, command.toArray(String[]::new));
    }

    /** Whatever looks for defects says so: the search, the summary and the page. */
    @Test
    void shouldNotTakeForRightWhatWasNotRecorded() throws Exception {
        record("locks.madt", "--record", "locks");
        record("never.madt", "--start", "func:nosuch");
        record("few.madt", "--max-events", "3");
        MadtRun data = record("data.madt", "--data");
        assertTrue(
                data.errors().contains("defects: not looked for: accesses to blocks, of which"),
                data.errors());
        MadtRun run = MadtRun.madt(
                        directory,
                        "defects",
                        "--fail",
                        "locks.madt",
                        "never.madt",
                        "few.madt",
                        "data.madt")
                .expect(INCOMPLETE);
        assertFalse(run.text().contains("No defect"), run.text());
        assertEquals(
                4,
                run.text()
                        .lines()
                        .filter(line -> line.contains("No accesses to look at"))
                        .count(),
                run.text());
        for (String reason : List.of(
                "(to record both: --record accesses,locks)",
                "(the recording never began: func:nosuch)",
                "(ended at the limit of --max-events)",
                "(heaps were not chosen: --only ")) {
            assertTrue(run.text().contains("which the trace has none " + reason), run.text());
            assertTrue(run.errors().contains("never freed can be found " + reason), run.errors());
        }
        String page =
                MadtRun.madt(directory, "view", "-o", "-", "few.madt").expect(0).text();
        assertTrue(page.contains("\"unlooked\":\"accesses to blocks, of which"), "few.madt");
        MadtRun.madt(directory, "defects", "--fail", "--find", "double-free", "few.madt")
                .expect(0);
    }
}
