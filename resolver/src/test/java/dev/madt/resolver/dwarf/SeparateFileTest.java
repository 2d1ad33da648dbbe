package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.local.SourceFrame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Debug information that is not in the program's own file. */
@Isolated("it moves the home folder")
class SeparateFileTest {
    @TempDir
    Path folder;

    private Path program;
    private List<Long> addresses;
    private List<List<SourceFrame>> expected;

    @BeforeEach
    void build() throws Exception {
        program = new SampleProgram("disparity.c", "gcc", "-O2", "-gdwarf-5")
                .build(folder, "-Wl,--build-id");
        addresses = SampleProgram.instructions(program);
        DebugInfo whole = DebugInfo.open(program, Assertions::fail);
        expected = addresses.stream().map(whole::frames).toList();
        assertTrue(expected.stream().filter(frames -> !frames.isEmpty()).count() > 100);
        CommandOutput.lines(
                "objcopy",
                "--only-keep-debug",
                program.toString(),
                folder.resolve("whole.debug").toString());
        CommandOutput.lines("strip", "--strip-all", program.toString());
    }

    private void compare() throws Exception {
        DebugInfo info = DebugInfo.open(program, Assertions::fail);
        assertEquals(expected, addresses.stream().map(info::frames).toList());
    }

    @Test
    void shouldFindNothingWhereNothingIs() throws Exception {
        assertNull(DebugInfo.open(program, Assertions::fail));
    }

    @Test
    void shouldFollowTheDebugLink() throws Exception {
        CommandOutput.lines(
                "objcopy",
                "--add-gnu-debuglink=" + folder.resolve("whole.debug"),
                program.toString());
        compare();
    }

    @Test
    void shouldRefuseALinkedFileThatHasChanged() throws Exception {
        CommandOutput.lines(
                "objcopy",
                "--add-gnu-debuglink=" + folder.resolve("whole.debug"),
                program.toString());
        byte[] bytes = Files.readAllBytes(folder.resolve("whole.debug"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(folder.resolve("whole.debug"), bytes);
        assertNull(DebugInfo.open(program, Assertions::fail));
    }

    @Test
    void shouldFindWhatDebuginfodHasFetched() throws Exception {
        Assumptions.assumeTrue(
                System.getenv("DEBUGINFOD_CACHE_PATH") == null
                        && System.getenv("XDG_CACHE_HOME") == null,
                "DEBUGINFOD_CACHE_PATH or XDG_CACHE_HOME is set");
        String id = HexFormat.of().formatHex(ElfModule.open(program).buildId());
        Path cached =
                folder.resolve("home/.cache/debuginfod_client").resolve(id).resolve("debuginfo");
        Files.createDirectories(cached.getParent());
        Files.move(folder.resolve("whole.debug"), cached);
        String home = System.getProperty("user.home");
        System.setProperty("user.home", folder.resolve("home").toString());
        try {
            compare();
        } finally {
            System.setProperty("user.home", home);
        }
    }
}
