package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSection;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.SourceFrame;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.FieldPath;
import dev.madt.resolver.type.PointerType;
import dev.madt.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Debug information that is cut or has flipped bytes, 1,000 cases in all: whatever is asked is
 * answered, in time and without an exception.
 */
class DamageTest {
    private static final int CASES = Tier.of(1_000, 40);
    private static final Duration MOST = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gcc -O2 -gdwarf-5",
                "gcc -O2 -gdwarf-4",
                "clang -O2 -gdwarf-5",
                "gcc -O2 -gdwarf-5 compressed"
            })
    void shouldAnswerWhateverIsDamaged(String way) throws Exception {
        String[] words = way.split(" ");
        String compiler = SampleProgram.compilers().contains(words[0]) ? words[0] : "gcc";
        Path program = new SampleProgram("inlined.cpp", compiler, words[1], words[2]).build(folder);
        if (words.length > 3) {
            CommandOutput.lines("objcopy", "--compress-debug-sections=zlib", program.toString());
        }
        byte[] whole = Files.readAllBytes(program);
        ElfModule module = ElfModule.open(program);
        List<ElfSection> sections = module.sections().stream()
                .filter(section -> section.name().startsWith(".debug_"))
                .toList();
        List<Long> code = SampleProgram.instructions(program);
        List<Long> data = module.dataSymbols().stream().map(ElfSymbol::address).toList();
        int warned = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(7_919L * i + way.hashCode());
            byte[] bytes = damaged(whole, sections, random);
            Path copy = Files.write(folder.resolve("damaged"), bytes);
            List<String> warnings = new ArrayList<>();
            assertTimeoutPreemptively(
                    MOST, () -> askEverything(copy, code, data, warnings), way + ", case " + i);
            warned += warnings.isEmpty() ? 0 : 1;
        }
        System.out.println(way + ": " + warned + " of " + CASES + " cases gave a warning");
        assertTrue(warned > CASES / 4, warned + " warned");
    }

    /** A section cut short, zeroed from somewhere on, or with some bytes changed. */
    private static byte[] damaged(byte[] whole, List<ElfSection> sections, Random random) {
        byte[] bytes = whole.clone();
        ElfSection section = sections.get(random.nextInt(sections.size()));
        int at = (int) section.offset();
        int size = (int) section.size();
        switch (random.nextInt(4)) {
            case 0 -> cutSection(bytes, section, random.nextInt(size));
            case 1 -> {
                for (int i = random.nextInt(size); i < size; i++) {
                    bytes[at + i] = 0;
                }
            }
            case 2 -> {
                for (int i = 0; i < 1 + size / 50; i++) {
                    bytes[at + random.nextInt(size)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            default -> {
                for (int i = 0; i < 5; i++) {
                    bytes[at + random.nextInt(size)] = (byte) random.nextInt();
                }
            }
        }
        return bytes;
    }

    private static void cutSection(byte[] bytes, ElfSection section, int size) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long headers = file.getLong(40);
        file.putLong((int) headers + 64 * section.index() + 32, size);
    }

    private static void askEverything(
            Path file, List<Long> code, List<Long> data, List<String> warnings) throws IOException {
        DebugInfo info = DebugInfo.open(file, warnings::add);
        if (info == null) {
            return;
        }
        for (long address : code) {
            info.frames(address);
            info.locals(address).forEach(local -> FieldPath.of(local.type(), 9, 4));
            info.allocated(address);
        }
        for (long address : data) {
            Variable variable = info.variable(address);
            if (variable != null) {
                FieldPath.of(variable.type(), 13, 4);
                if (variable.type().bare() instanceof PointerType pointer) {
                    FieldPath.of(pointer.target(), 5, 1);
                }
            }
        }
    }

    @Test
    void shouldKeepTheLinesWhenOnlyTheFunctionsAreDamaged() throws Exception {
        Path program = new SampleProgram("disparity.c", "gcc", "-O0", "-gdwarf-5").build(folder);
        List<Long> code = SampleProgram.instructions(program);
        DebugInfo whole = DebugInfo.open(program, text -> {});
        byte[] bytes = Files.readAllBytes(program);
        for (ElfSection section : ElfModule.open(program).sections()) {
            if (section.name().equals(".debug_info")) {
                int start = (int) section.offset();
                int end = start + (int) section.size();
                Arrays.fill(bytes, start + (end - start) / 2, end, (byte) 0x7f);
            }
        }
        List<String> warnings = new ArrayList<>();
        DebugInfo info =
                DebugInfo.open(Files.write(folder.resolve("damaged"), bytes), warnings::add);
        for (long address : code) {
            List<SourceFrame> frames = whole.frames(address);
            assertEquals(
                    frames.stream()
                            .map(frame -> frame.file() + ":" + frame.line())
                            .toList(),
                    info.frames(address).stream()
                            .map(frame -> frame.file() + ":" + frame.line())
                            .toList());
        }
        assertFalse(warnings.isEmpty());
    }
}
