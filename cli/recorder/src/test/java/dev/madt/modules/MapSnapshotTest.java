package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.RegionKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapSnapshotTest {
    @TempDir
    Path session;

    /** Reads what madt-inject has written by then, when it is needed, and once. */
    @Test
    void shouldKnowTheThreadsOfAProcessThatRanBefore() throws IOException {
        MapSnapshot snapshot = recorded().ranBefore();
        Files.writeString(
                session.resolve("maps"),
                """
                7f0000000000-7f0000021000 rw-p 00000000 00:00 0\s
                7f1000000000-7f1000a01000 rw-p 00000000 00:00 0\s
                7f2000000000-7f2000003000 rw-p 00000000 00:00 0\s
                7f3000000000-7f3000003000 rw-p 00000000 00:00 0\s
                """);
        Files.writeString(
                session.resolve("threads"),
                pid() + " 7f3000000f00 0 0\n18 7f1000800640 7f1000001000 7f1000801000\n"
                        + "19 7f0000020640 0 0\n");
        List<RegionMap.Region> regions = snapshot.take(pid(), () -> OwnMappings.NONE);
        assertEquals(
                List.of(
                        RegionKind.ANONYMOUS,
                        RegionKind.ANONYMOUS,
                        RegionKind.STACK,
                        RegionKind.ANONYMOUS,
                        RegionKind.ANONYMOUS,
                        RegionKind.ANONYMOUS),
                regions.stream().map(RegionMap.Region::kind).toList());
        assertEquals(
                List.of(
                        0x7f0000021000L,
                        0x7f1000001000L,
                        0x7f1000a01000L,
                        0x7f2000003000L,
                        0x7f3000000000L),
                regions.stream()
                        .filter(region -> region.kind() == RegionKind.ANONYMOUS)
                        .map(snapshot::loadersStart)
                        .toList());
        assertEquals(0x7f1000801000L, regions.get(2).end());
    }

    /** The first thread's storage is one mapping with what the program has mapped below it. */
    @Test
    void shouldCountWhatLiesBelowTheFirstThreadsStorage() throws IOException {
        MapSnapshot snapshot = recorded().ranBefore();
        Files.writeString(
                session.resolve("maps"), "7f2000000000-7f2000803000 rw-p 00000000 00:00 0 \n");
        Files.writeString(session.resolve("threads"), pid() + " 7f2000800f00 0 0\n");
        List<RegionMap.Region> regions = snapshot.take(pid(), () -> OwnMappings.NONE);
        assertEquals(0x7f2000800000L, snapshot.loadersStart(regions.get(0)));
    }

    @Test
    void shouldNameSharedMemoryByWhatItIs() {
        MapSnapshot snapshot = recorded();
        assertEquals("[shared]", label(snapshot, "/dev/zero (deleted)"));
        assertEquals("[file:zero]", label(snapshot, "/dev/zero"));
        assertEquals("[file:memfd:frames]", label(snapshot, "/memfd:frames (deleted)"));
        assertEquals("[file:SYSV0052e2c1]", label(snapshot, "/SYSV0052e2c1 (deleted)"));
        assertEquals("[file:log (deleted)]", label(snapshot, "/var/log (deleted)"));
        assertEquals("[file:SYSV (deleted)]", label(snapshot, "/tmp/SYSV (deleted)"));
    }

    private static int pid() {
        return (int) ProcessHandle.current().pid();
    }

    private MapSnapshot recorded() {
        return new MapSnapshot(Path.of("/opt/libmadt.so"), session, Path.of("/cache/madt"));
    }

    private static String label(MapSnapshot snapshot, String path) {
        return snapshot.file(0x1000, 0x3000, 3, 0, path).label();
    }
}
