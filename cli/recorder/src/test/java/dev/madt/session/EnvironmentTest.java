package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    void shouldJoinTunablesThatTheLoaderHasCut() {
        assertEquals(
                List.of("A=1", "GLIBC_TUNABLES=x.y=1:x.z=2:x.w=3", "B=2"),
                joined(
                        "x.y=1:x.z=2:x.w=3",
                        "A=1",
                        "GLIBC_TUNABLES=x.y=1",
                        "x.z=2",
                        "x.w=3",
                        "B=2"));
        assertEquals(
                List.of("GLIBC_TUNABLES=x.y=1:x.z=2"),
                joined("x.y=1:x.z=2", "GLIBC_TUNABLES=x.y=1", "x.z=2"));
    }

    @Test
    void shouldLeaveWholeTunablesAlone() {
        assertEquals(
                List.of("GLIBC_TUNABLES=x.y=1:x.z=2", "x.z=2"),
                joined("x.y=1:x.z=2", "GLIBC_TUNABLES=x.y=1:x.z=2", "x.z=2"));
        assertEquals(List.of("GLIBC_TUNABLES=", "A=1"), joined("", "GLIBC_TUNABLES=", "A=1"));
        assertEquals(List.of("A=1"), joined(null, "A=1"));
        assertEquals(List.of("A=1"), joined("x.y=1", "A=1"));
    }

    @Test
    void shouldLeaveAloneWhatDoesNotFit() {
        assertEquals(
                List.of("GLIBC_TUNABLES=x.y=1", "A=123"),
                joined("x.y=1:x.z=2", "GLIBC_TUNABLES=x.y=1", "A=123"));
    }

    private static List<String> joined(String tunables, String... entries) {
        List<byte[]> bytes = Stream.of(entries)
                .map(entry -> entry.getBytes(StandardCharsets.UTF_8))
                .toList();
        return Environment.joined(bytes, tunables).stream()
                .map(entry -> new String(entry, StandardCharsets.UTF_8))
                .toList();
    }
}
