package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program with several executable segments and holes in between, as {@code node} has: all of them
 * change places with those of the patched text image.
 */
class TextSegmentsIT {
    private static final int ROUNDS = 4 * Integer.getInteger("madt.rounds", 1);
    private static final int SEGMENTS = 3;

    @TempDir
    Path directory;

    private final String program = MadtRun.program("attach/segments").toString();

    @Test
    void shouldRecordTheSameByBothEngines() throws Exception {
        int agreed =
                EnginePair.record(directory, List.of(), List.of(program, "20")).agree();
        assertTrue(agreed > 20 * 64 * 3, () -> agreed + " events");
    }

    /** Returns where executable mappings of files begin, and the files that stand there. */
    private static Map<String, String> executable(long pid) throws Exception {
        Map<String, String> found = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
            String[] words = line.split(" +");
            if (words[1].equals("r-xp") && words.length > 5) {
                found.put(words[0].split("-")[0], words[5]);
            }
        }
        return found;
    }

    private static boolean isRecorded(long pid, Set<String> starts) throws Exception {
        Map<String, String> now = executable(pid);
        return starts.stream().allMatch(it -> now.getOrDefault(it, "").endsWith(".plan"));
    }

    @Test
    void shouldLeaveAllSegmentsAsTheyWere() throws Exception {
        Path output = directory.resolve("output");
        Process process =
                new ProcessBuilder(program).redirectOutput(output.toFile()).start();
        try {
            while (Files.size(output) == 0) {
                assertTrue(process.isAlive());
                Thread.sleep(10);
            }
            long pid = process.pid();
            Map<String, String> own = executable(pid);
            own.values().removeIf(it -> !it.endsWith("/segments"));
            Set<String> starts = own.keySet();
            assertEquals(SEGMENTS, starts.size());
            AttachedState before = AttachedState.before(pid, true);
            String text = AttachedState.text(pid);
            for (int round = 0; round < ROUNDS; round++) {
                assertFalse(isRecorded(pid, starts));
                CompletableFuture<MadtRun> recording =
                        CompletableFuture.supplyAsync(() -> recorded(pid));
                while (!isRecorded(pid, starts)) {
                    assertFalse(recording.isDone(), () -> recording.join().errors());
                    Thread.sleep(1);
                }
                MadtRun.madt(directory, "ctl", "" + pid, "detach").expect(0);
                MadtRun run = recording.get().expect(0);
                assertTrue(run.errors().contains("complete until it was detached"), run.errors());
                assertEquals(before, before.settled(), run.errors());
                assertEquals(text, AttachedState.text(pid), run.errors());
            }
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
            assertTrue(Files.readString(output).endsWith("end, 0 wrong\n"));
        } finally {
            process.destroyForcibly();
        }
    }

    private MadtRun recorded(long pid) {
        try {
            return MadtRun.told(
                    directory, ("run -f --lossy --no-hottest -o a.madt -p " + pid).split(" "));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
