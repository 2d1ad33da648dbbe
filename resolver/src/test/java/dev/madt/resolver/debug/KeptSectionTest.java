package dev.madt.resolver.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptSectionTest {
    /** As many structures as make more than a megabyte of debug information. */
    private static final int STRUCTURES = 12_007;

    @TempDir
    Path folder;

    private final Set<String> made = new TreeSet<>();

    private Path program(String... options) throws Exception {
        StringBuilder source = new StringBuilder();
        for (int i = 0; i < STRUCTURES; i++) {
            source.append("struct s%d { int a%d[%d]; struct s%d *b%d; char c; double d; short e; };"
                    .formatted(i, i, i % 97 + 1, i, i));
            source.append("struct s%d v%d;\n".formatted(i, i));
        }
        source.append("int main(void) { return v3.c; }\n");
        return CommandOutput.compile(
                folder, "program" + options.length, source.toString(), options);
    }

    private Path keep(Path file, String section, SectionStore.Maker maker) throws IOException {
        Path kept = folder.resolve("kept" + section);
        if (made.add(section)) {
            maker.make(kept);
        }
        return kept;
    }

    @Test
    void shouldKeepLargeSectionsThatArePacked() throws Exception {
        Path program = program("-gz=zlib");
        DebugSections plain = DebugSections.of(program);
        for (int times = 0; times < 2; times++) {
            DebugSections kept = DebugSections.of(program, this::keep);
            for (String section : new String[] {".debug_info", ".debug_abbrev", ".debug_line"}) {
                assertEquals(plain.get(section), kept.get(section));
                assertTrue(kept.get(section).limit() > 0, section);
            }
            assertEquals(Set.of(".debug_info"), made);
        }
        assertTrue(plain.get(".debug_info").limit() > 1 << 20);
    }

    @Test
    void shouldKeepNothingThatIsNotPacked() throws Exception {
        DebugSections sections = DebugSections.of(program(), this::keep);
        assertTrue(sections.get(".debug_info").limit() > 1 << 20);
        assertEquals(Set.of(), made);
    }

    @Test
    void shouldUnpackWhereNothingIsKept() throws Exception {
        Path program = program("-gz=zlib");
        assertEquals(
                DebugSections.of(program).get(".debug_info"),
                DebugSections.of(program, SectionStore.NONE).get(".debug_info"));
    }

    @Test
    void shouldSeeAnyDamage() throws Exception {
        DebugSections.of(program("-gz=zlib"), this::keep).get(".debug_info");
        Path kept = folder.resolve("kept.debug_info");
        assertTrue(KeptSection.isSound(kept));
        byte[] sound = Files.readAllBytes(kept);
        Path damaged = folder.resolve("damaged");
        for (int at = sound.length - 1; at >= 0; at -= at > sound.length - 17 ? 1 : 99_991) {
            byte[] bytes = sound.clone();
            bytes[at] ^= 0x41;
            Files.write(damaged, bytes);
            assertFalse(KeptSection.isSound(damaged), "byte " + at);
        }
        for (int size : new int[] {0, 15, 16, sound.length - 1}) {
            Files.write(damaged, Arrays.copyOf(sound, size));
            assertFalse(KeptSection.isSound(damaged), size + " bytes");
        }
        assertFalse(KeptSection.isSound(folder.resolve("none")));
    }
}
