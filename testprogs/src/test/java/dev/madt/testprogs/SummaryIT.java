package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code madt run} says in the end, and where its lines may go. */
class SummaryIT {
    private static final int LOOPS = 17;
    private static final int SHOWN = 10;

    @TempDir
    Path directory;

    /** The shell and a child for each turn. */
    @Test
    void shouldSumUpTheTracesOfManyProcesses() throws Exception {
        MadtRun run = MadtRun.madt(directory, "run", "-o", "t.madt", "--", "sh", "-c",
                "i=0; while [ $i -lt " + LOOPS + " ]; do /bin/true; i=$((i+1)); done").expect(0);
        List<String> lines = run.errors().lines().toList();
        assertEquals(SHOWN, lines.stream().filter(line -> line.matches("madt: wrote t\\.madt\\S*: [0-9,]+ accesses .*, complete")).count(),
                run.errors());
        assertTrue(lines.get(SHOWN).matches("madt: and " + (1 + LOOPS - SHOWN) + " more traces: [0-9,]+ accesses in all, complete\\."
                + " madt info of the first trace lists all processes\\."), run.errors());
        assertEquals("madt: next: madt print t.madt | less     madt info t.madt", lines.get(SHOWN + 1));
        String info = MadtRun.madt(directory, "info", "t.madt").expect(0).text();
        assertEquals(1 + LOOPS, info.lines().filter(line -> line.matches("  \\d+ .*, t\\.madt\\S*")).count(), info);
    }

    @Test
    void shouldWriteLinesToWhatIsNoFile() throws Exception {
        assertEquals("", MadtRun.madt(directory, "run", "-q", "--text", "/dev/null", "--", "true").expect(0).errors());
    }
}
