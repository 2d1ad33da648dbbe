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
        MapSnapshot snapshot = new MapSnapshot(
                        Path.of("/opt/libmadt.so"), session, Path.of("/cache/madt"))
                .ranBefore();
        Files.writeString(
                session.resolve("maps"),
                """
                7f0000000000-7f0000021000 rw-p 00000000 00:00 0\s
                7f1000000000-7f1000801000 rw-p 00000000 00:00 0\s
                7f2000000000-7f2000003000 rw-p 00000000 00:00 0\s
                """);
        Files.writeString(
                session.resolve("threads"),
                "17 7fff00000010 7f2000002740\n18 7f10007ffe70 7f10008006c0\n");
        List<RegionMap.Region> regions =
                snapshot.take((int) ProcessHandle.current().pid(), () -> OwnMappings.NONE);
        assertEquals(
                List.of(RegionKind.ANONYMOUS, RegionKind.STACK, RegionKind.ANONYMOUS),
                regions.stream().map(RegionMap.Region::kind).toList());
        assertEquals(
                List.of(false, true, true),
                regions.stream().map(snapshot::isLoaders).toList());
    }

    @Test
    void shouldNameSharedMemoryByWhatItIs() {
        MapSnapshot snapshot =
                new MapSnapshot(Path.of("/opt/libmadt.so"), session, Path.of("/cache/madt"));
        assertEquals("[shared]", label(snapshot, "/dev/zero (deleted)"));
        assertEquals("[file:zero]", label(snapshot, "/dev/zero"));
        assertEquals("[file:memfd:frames]", label(snapshot, "/memfd:frames (deleted)"));
        assertEquals("[file:SYSV0052e2c1]", label(snapshot, "/SYSV0052e2c1 (deleted)"));
        assertEquals("[file:log (deleted)]", label(snapshot, "/var/log (deleted)"));
        assertEquals("[file:SYSV (deleted)]", label(snapshot, "/tmp/SYSV (deleted)"));
    }

    private static String label(MapSnapshot snapshot, String path) {
        return snapshot.file(0x1000, 0x3000, 3, 0, path).label();
    }
}
