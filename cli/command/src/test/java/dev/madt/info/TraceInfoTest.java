package dev.madt.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceInfoTest {
    @Test
    void shouldTellTheCausesOfWindowsAsOtherViewsDo() throws Exception {
        TraceInfo info = new TraceInfo();
        info.meta(Map.of(
                "started",
                "2",
                "windows",
                "1500000,2000000,func:_ZN4madt5namesEv,return:cut(int, int)\n"
                        + "7000000,,after:5ms,\n"));
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        info.write(page, Path.of("t.madt"), null);
        assertEquals(
                """
                windows         2
                  1             at 0.001500 s, 500 µs: func:madt::names until return:cut(int, int)
                  2             at 0.007000 s, to the end: after:5ms
                """,
                page.toString(StandardCharsets.UTF_8)
                        .lines()
                        .dropWhile(line -> !line.startsWith("windows"))
                        .limit(3)
                        .map(line -> line + "\n")
                        .reduce("", String::concat));
    }
}
