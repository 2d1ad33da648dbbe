package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcMapsTest {
    @Test
    void shouldReadPathsWithBlanksAndDeletedFiles() {
        List<ProcMaps.Mapping> maps = ProcMaps.parse(
                """
                        5555a000-5555b000 r-xp 00002000 fe:01 4711                       /opt/my  \
                        own/prog (old)
                        7f0000000000-7f0000021000 rw-p 00000000 00:00 0\s
                        7f0000100000-7f0000200000 rw-s 00001000 00:19 37                 \
                        /dev/shm/some buffer (deleted)
                        7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                  [stack]
                        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]
                        7f0000300000-7f00004
                        not a line
                        """);
        assertEquals(5, maps.size());
        assertEquals(
                new ProcMaps.Mapping(
                        0x5555a000,
                        0x5555b000,
                        5,
                        false,
                        0x2000,
                        4711,
                        "/opt/my  own/prog (old)",
                        false),
                maps.get(0));
        assertEquals("", maps.get(1).path());
        assertFalse(maps.get(1).file());
        assertEquals("/dev/shm/some buffer", maps.get(2).path());
        assertTrue(maps.get(2).deleted() && maps.get(2).shared());
        assertEquals("[stack]", maps.get(3).path());
        assertEquals(0xffffffffff600000L, maps.get(4).start());
        assertEquals(4, maps.get(4).protection());
    }

    @Test
    void shouldReadItsOwnProcess() throws Exception {
        String text = Files.readString(Path.of("/proc/self/maps"));
        List<ProcMaps.Mapping> maps = ProcMaps.parse(text);
        assertEquals(text.lines().count(), maps.size());
        assertTrue(maps.stream()
                .anyMatch(each -> each.path().endsWith("/libjvm.so") && each.executable()));
    }
}
