package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSection;
import dev.madt.resolver.elf.ElfSymbol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnwindFunctionsTest {
    private static final Path NOWHERE = Path.of("/nonexistent");
    private static final Pattern RANGE = Pattern.compile("FDE .*pc=([0-9a-f]+)\\.\\.([0-9a-f]+)");
    private static final String SOURCE =
            """
            static int __attribute__((noinline)) one(int a) { return a * 3; }
            static int __attribute__((noinline)) two(int a) { return one(a) + one(a + 2); }
            int main(int argc, char **argv) { return two(argc); }
            """;

    @TempDir
    Path folder;

    @Test
    void shouldNameTheFunctionsOfAStrippedProgramByTheirAddresses() throws Exception {
        Path program = CommandOutput.compile(folder, "whole", SOURCE);
        Path stripped = folder.resolve("stripped");
        CommandOutput.lines("strip", "-o", stripped.toString(), program.toString());
        ElfModule whole = Analysed.open(program, NOWHERE);
        for (Path file : List.of(stripped, withoutSections(stripped))) {
            ElfModule module = Analysed.open(file, NOWHERE);
            for (String name : List.of("one", "two", "main")) {
                ElfSymbol function = whole.functions().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .get();
                ElfSymbol found = module.function(function.address() + function.size() - 1);
                assertNotNull(found, name + " in " + file);
                assertEquals(
                        new ElfSymbol(
                                function.address(),
                                function.size(),
                                "func@0x" + Long.toHexString(function.address())),
                        found);
            }
            assertNull(module.function(0x40), "the ELF header");
        }
        assertTrue(
                whole.functions().stream()
                        .noneMatch(function -> function.name().startsWith("func@")),
                "all have names");
    }

    private Path withoutSections(Path stripped) throws Exception {
        byte[] bytes = Files.readAllBytes(stripped);
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(40, 0).putShort(60, (short) 0).putShort(62, (short) 0);
        return Files.write(folder.resolve("bare"), bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/bin/bash",
                "/usr/bin/perl",
                "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                "/bin/ls"
            })
    void shouldKnowEveryRangeThatReadelfLists(String file) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of(file)), "no " + file);
        ElfModule module = Analysed.open(Path.of(file), NOWHERE);
        int compared = 0;
        for (String line : CommandOutput.lines("readelf", "--debug-dump=frames", file)) {
            Matcher range = RANGE.matcher(line);
            if (range.find()) {
                long start = Long.parseUnsignedLong(range.group(1), 16);
                long end = Long.parseUnsignedLong(range.group(2), 16);
                ElfSymbol found = module.function(start);
                assertNotNull(found, line);
                boolean own = found.name().startsWith("func@");
                assertTrue(
                        !own || found.address() == start && found.end() == end,
                        found + " for " + line);
                compared++;
            }
        }
        assertTrue(compared > 100, compared + " ranges");
    }

    @Test
    void shouldReadDamagedTablesAsFarAsTheyGo() throws Exception {
        byte[] whole = Files.readAllBytes(CommandOutput.compile(folder, "whole", SOURCE, "-s"));
        ElfSection table = Analysed.open(folder.resolve("whole"), NOWHERE).sections().stream()
                .filter(section -> section.name().equals(".eh_frame"))
                .findFirst()
                .get();
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = whole.clone();
            for (int k = 0; k < 1 + i % 9; k++) {
                bytes[(int) table.offset() + random.nextInt((int) table.size())] =
                        (byte) random.nextInt();
            }
            ElfModule module =
                    Analysed.open(Files.write(folder.resolve("damaged"), bytes), NOWHERE);
            assertTrue(module.functions().size() < 1000, "case " + i);
        }
    }
}
