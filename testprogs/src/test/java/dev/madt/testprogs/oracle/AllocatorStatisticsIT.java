package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.NamedBlocks;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of allocators that {@code --alloc} knows by name, against what they count themselves. */
class AllocatorStatisticsIT {
    private static final int LEAST_BYTES = 50_000;

    @TempDir
    Path directory;

    /** @param blocks 0 where the allocator does not say */
    private record Counted(long blocks, long bytes) {
        Counted since(Counted first) {
            return blocks == 0
                    ? new Counted(0, bytes - first.bytes)
                    : new Counted(blocks - first.blocks, bytes - first.bytes);
        }
    }

    /** Counts what lives at each point of a program that includes counted.h. */
    private static final class Points extends NamedBlocks {
        private static final int MARK = 70_000;
        private static final int MARK_END = 71_000;

        private final List<Counted> points = new ArrayList<>();

        @Override
        public void ring(TraceEvent event) {
            if (event instanceof TraceEvent.Allocation one
                    && one.type() == RingEventType.NAMED_ALLOC
                    && one.size() >= MARK
                    && one.size() < MARK_END) {
                points.add(new Counted(count(), bytes()));
            }
            super.ring(event);
        }
    }

    @ParameterizedTest
    @CsvSource({"talloc, -l:libtalloc.so.2", "lua, -l:liblua5.4.a -lm -ldl"})
    @SoakCases({
        "jemalloc, -l:libjemalloc.so.2",
        "mimalloc, -l:libmimalloc.so.2",
        "sqlite, -l:libsqlite3.a -lm -ldl -lz -pthread",
        "tcmalloc, -l:libtcmalloc_minimal.so.4"
    })
    void shouldCountWhatTheAllocatorCounts(String name, String libraries) throws Exception {
        String library = libraries.substring(3).split(" ")[0];
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/lib/x86_64-linux-gnu", library)),
                () -> library + " is not installed");
        Path source = MadtRun.root().resolve("testprogs/allocators/" + name + ".c");
        List<String> build = new ArrayList<>(List.of("gcc", "-O1", "-o", name, source.toString()));
        build.add("-Wl,--no-as-needed");
        build.addAll(List.of(libraries.split(" ")));
        MadtRun.command(directory, build).expect(0);
        String preset = name.equals("sqlite") ? "sqlite3" : name;
        Recorder recorder = new Recorder(directory).with("--alloc", preset);
        List<Counted> wanted = recorder.run("./" + name)
                .expect(0)
                .text()
                .lines()
                .map(line -> line.split(" "))
                .map(cells -> new Counted(Long.parseLong(cells[0]), Long.parseLong(cells[1])))
                .toList();
        List<Counted> told = TraceFile.read(recorder.trace(), new Points()).points;
        assertEquals(wanted.size(), told.size());
        assertEquals(4, told.size());
        for (int i = 1; i < told.size(); i++) {
            Counted point = wanted.get(i).since(wanted.get(0));
            Counted seen = told.get(i).since(told.get(0));
            assertTrue(point.bytes > LEAST_BYTES, point.toString());
            assertEquals(
                    point,
                    wanted.get(i).blocks == 0 ? new Counted(0, seen.bytes) : seen,
                    "point " + i + " of " + name);
        }
    }
}
