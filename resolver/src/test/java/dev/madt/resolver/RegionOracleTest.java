package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ranges of modules, against the sections and segments that readelf prints and the loader's own
 * mapping.
 */
class RegionOracleTest {
    private static final String SOURCE =
            """
            #include <stdio.h>
            int filled[37] = {1};
            static int empty[1013];
            const char text[] = "some text";
            int main(void) { empty[5] = filled[3]; return puts(text) + empty[5] < 0; }
            """;

    @TempDir
    Path folder;

    /** Start and size of PT_GNU_RELRO as {@code readelf -lW} prints them. */
    private static long[] relroOf(String file) throws Exception {
        for (String line : CommandOutput.lines("readelf", "-lW", file)) {
            String[] fields = line.strip().split("\\s+");
            if (fields[0].equals("GNU_RELRO")) {
                return new long[] {
                    Long.decode(fields[2]), Long.decode(fields[2]) + Long.decode(fields[5])
                };
            }
        }
        return new long[] {0, 0};
    }

    private static String expected(String name, String flags, long address, long[] relro) {
        if (flags.contains("X")) {
            return null;
        }
        if (address >= relro[0] && address < relro[1]) {
            return ".relro";
        }
        if (name.equals(".bss")) {
            return ".bss";
        }
        return flags.contains("W") ? ".data" : ".rodata";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lib/x86_64-linux-gnu/libc.so.6",
                "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                "/bin/bash",
                "/usr/bin/perl",
                "/lib64/ld-linux-x86-64.so.2"
            })
    void shouldNameEverySectionByItsRegion(String file) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of(file)), "no " + file);
        assertTrue(compareSections(ElfModule.open(Path.of(file)), file) >= 10, file);
    }

    private static int compareSections(ElfModule module, String file) throws Exception {
        long[] relro = relroOf(file);
        int compared = 0;
        for (String line : CommandOutput.lines("readelf", "-SW", file)) {
            String[] fields =
                    line.replaceFirst("^\\s*\\[\\s*\\d+\\]\\s*", "").strip().split("\\s+");
            if (fields.length < 9
                    || !fields[0].startsWith(".")
                    || !fields[6].contains("A")
                    || fields[6].contains("T")) {
                continue;
            }
            long start = Long.parseUnsignedLong(fields[2], 16);
            long size = Long.parseUnsignedLong(fields[4], 16);
            for (long address : new long[] {start, start + size / 2, start + size - 1}) {
                assertEquals(
                        expected(fields[0], fields[6], address, relro),
                        module.regionName(address),
                        line + " in " + file);
            }
            compared++;
        }
        return compared;
    }

    @Test
    void shouldNameRegionsOfAFixedProgramAndOfAStrippedOneAlike() throws Exception {
        for (String option : List.of("-no-pie", "-pie")) {
            Path program = CommandOutput.compile(folder, "ranges" + option, SOURCE, option);
            ElfModule whole = ElfModule.open(program);
            compareSections(whole, program.toString());
            Path bare = folder.resolve("bare" + option);
            byte[] bytes = Files.readAllBytes(program);
            java.util.Arrays.fill(bytes, 40, 48, (byte) 0);
            java.util.Arrays.fill(bytes, 58, 64, (byte) 0);
            Files.write(bare, bytes);
            ElfModule stripped = ElfModule.open(bare);
            assertTrue(stripped.sections().isEmpty());
            assertEquals(whole.dataRanges(), stripped.dataRanges());
            assertEquals(whole.codeRanges(), stripped.codeRanges());
            org.junit.jupiter.api.Assertions.assertArrayEquals(whole.buildId(), stripped.buildId());
            assertTrue(whole.buildId().length > 0);
            assertTrue(stripped.hasInterpreter());
            assertEquals(option.equals("-no-pie"), stripped.fixedAddress());
            assertEquals(
                    option.equals("-no-pie") ? 0x400000 : Long.MAX_VALUE,
                    stripped.lowestFixedAddress());
        }
    }

    @Test
    void shouldCoverWholePagesWithoutGapsInASegment() throws Exception {
        Path program = CommandOutput.compile(folder, "pages", SOURCE);
        ElfModule module = ElfModule.open(program);
        List<long[]> ranges = new ArrayList<>();
        module.dataRanges().forEach(range -> ranges.add(new long[] {range.start(), range.end()}));
        module.codeRanges().forEach(range -> ranges.add(new long[] {range.start(), range.end()}));
        ranges.sort((a, b) -> Long.compare(a[0], b[0]));
        for (int i = 1; i < ranges.size(); i++) {
            assertTrue(ranges.get(i - 1)[1] <= ranges.get(i)[0]);
        }
        for (ElfSegment segment : module.segments()) {
            if (segment.loaded()) {
                for (long page = segment.address() & -4096; page < segment.end(); page += 4096) {
                    assertInside(ranges, page);
                    assertInside(ranges, page + 4095);
                }
            }
        }
        assertNull(module.regionName(ranges.get(ranges.size() - 1)[1]));
    }

    private static void assertInside(List<long[]> ranges, long address) {
        assertTrue(
                ranges.stream().anyMatch(range -> address >= range[0] && address < range[1]),
                () -> "0x" + Long.toHexString(address));
    }
}
