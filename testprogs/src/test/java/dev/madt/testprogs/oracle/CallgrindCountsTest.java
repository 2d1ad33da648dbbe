package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallgrindCountsTest {
    @TempDir
    Path directory;

    @Test
    void shouldAddUpInstructionsAndPassOverWhatCalleesTook() throws Exception {
        Path file = Files.writeString(
                directory.resolve("callgrind.out"),
                """
                # callgrind format
                positions: instr line
                events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
                summary: 9 9 9

                ob=/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30
                fl=???
                fn=grow
                0x4cb0 0 2 2 0 1
                0x4cb4 0 2
                0x4cbe 0 2 0 2
                cob=/usr/lib/x86_64-linux-gnu/libc.so.6
                cfn=malloc
                calls=1 0x9000 0
                0x4cbe 0 900 300 200

                fn=grow'2
                0x4cb0 0 1 1 1
                """);
        assertEquals(
                Map.of(
                        new ModulePlace("libstdc++.so.6", 0x4cb0),
                        new ThreadAccesses.Count(3, 1),
                        new ModulePlace("libstdc++.so.6", 0x4cbe),
                        new ThreadAccesses.Count(0, 2)),
                CallgrindCounts.read(file, new ValgrindModules()).counts());
    }
}
