package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.Needs;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads write a log under a lock, in a function whose calls have times: an analysis that asks for
 * the order of time sees the lines in the order of the log, by the threads that it names.
 */
class ThreadOrderIT {
    @TempDir
    Path directory;

    /** The stores to the lines of the log. */
    private static final class Lines implements Analysis {
        private final List<Long> offsets = new ArrayList<>();
        private final List<Integer> threads = new ArrayList<>();

        @Override
        public Needs needs() {
            return Needs.BATCHES.inTime();
        }

        @Override
        public void accesses(Accesses batch) {
            for (int row = 0; row < batch.count(); row++) {
                if (batch.store(row) && batch.object(row).name().equals("lines")) {
                    offsets.add(batch.address(row) - batch.start(row));
                    threads.add(batch.thread());
                }
            }
        }
    }

    @Test
    void shouldOrderThreadsByTheTimesOfTheirCalls() throws Exception {
        Path program = MadtRun.program("threads/token");
        String log = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--record",
                        "accesses,calls",
                        "-o",
                        "token.madt",
                        "--",
                        program.toString())
                .expect(0)
                .text();
        Lines lines = new Lines();
        TraceFile.read(
                directory.resolve("token.madt"),
                new Reading(Selection.ALL).add(lines).consumer(Demangler.NONE, null));
        assertEquals(log.length(), lines.offsets.size());
        Map<Integer, Character> names = new HashMap<>();
        for (int line = 0; line < log.length(); line++) {
            assertEquals(4L * line, lines.offsets.get(line), "offset of store " + line);
            char name = log.charAt(line);
            Character known = names.putIfAbsent(lines.threads.get(line), name);
            assertEquals(name, known == null ? name : known, "who wrote line " + line);
        }
        assertEquals(4, names.size());
    }
}
