package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.local.Local;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parameters and local variables in scope, and their places, against gdb's {@code info scope}. */
class LocalsOracleTest {
    private static final Pattern SYMBOL =
            Pattern.compile("Symbol (\\S+) is (.*), length (\\d+)\\.");
    private static final Pattern FRAME_BASE =
            Pattern.compile("a variable at frame base reg \\$rbp offset 0\\+(-?\\d+)");
    private static final Pattern FBREG =
            Pattern.compile("a complex DWARF expression: +0: DW_OP_fbreg (-?\\d+) *");
    private static final Pattern FIXED =
            Pattern.compile("in static storage at address 0x([0-9a-f]+)|static storage.*");
    private static final int RBP = 6;

    @TempDir
    Path folder;

    static Stream<SampleProgram> programs() {
        return SampleProgram.all("sorting.c", "disparity.c", "globals.c");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldFindWhatIsInScopeAndWhere(SampleProgram sample) throws Exception {
        Assumptions.assumeTrue(SampleProgram.installed("gdb"), "no gdb");
        Path program = sample.build(folder);
        DebugInfo info = DebugInfo.open(program, text -> {});
        List<Long> addresses = SampleProgram.instructions(program).stream()
                .filter(address -> info.frames(address).size() == 1
                        && info.frames(address).get(0).function() != null)
                .toList();
        List<Map<String, String>> expected = scopes(program, addresses);
        int places = 0;
        for (int i = 0; i < addresses.size(); i++) {
            Map<String, Local> own = new HashMap<>();
            info.locals(addresses.get(i)).forEach(local -> own.putIfAbsent(local.name(), local));
            assertEquals(
                    expected.get(i).keySet(),
                    own.keySet(),
                    "0x" + Long.toHexString(addresses.get(i)));
            for (Local local : own.values()) {
                places += comparePlace(local, expected.get(i).get(local.name()));
            }
        }
        System.out.println(sample + ": " + places + " places of variables compared");
        assertTrue(sample.level().equals("-O2") || places > 200, places + " places");
    }

    private static int comparePlace(Local local, String expected) {
        Matcher rbp = FRAME_BASE.matcher(expected);
        Matcher frame = FBREG.matcher(expected);
        Matcher fixed = FIXED.matcher(expected);
        if (rbp.matches()) {
            assertEquals(
                    List.of(Local.Base.REGISTER, RBP, Long.valueOf(rbp.group(1))),
                    List.of(local.base(), local.register(), local.offset()),
                    local.toString());
        } else if (frame.matches()) {
            assertEquals(
                    List.of(Local.Base.FRAME, Long.valueOf(frame.group(1))),
                    List.of(local.base(), local.offset()),
                    local.toString());
        } else if (fixed.matches() && fixed.group(1) != null) {
            assertEquals(
                    List.of(Local.Base.FIXED, Long.parseLong(fixed.group(1), 16)),
                    List.of(local.base(), local.offset()));
        } else if (expected.matches("a variable in \\$r.*")) {
            assertEquals(Local.Base.VALUE, local.base(), local.toString());
        } else {
            return 0;
        }
        return 1;
    }

    /** Names in scope and gdb's words for their places, for each address. */
    private List<Map<String, String>> scopes(Path program, List<Long> addresses) throws Exception {
        List<String> commands = new ArrayList<>();
        for (long address : addresses) {
            commands.add("echo =\\n");
            commands.add("info scope *0x" + Long.toHexString(address));
        }
        Path input = Files.write(folder.resolve("commands"), commands);
        List<Map<String, String>> scopes = new ArrayList<>();
        String all = String.join(
                " ",
                CommandOutput.lines(
                        "gdb", "-nx", "-batch", "-x", input.toString(), program.toString()));
        for (String part : all.split("=(?= )", -1)) {
            scopes.add(symbols(part));
        }
        assertEquals(addresses.size() + 1, scopes.size());
        return scopes.subList(1, scopes.size());
    }

    /** An inner variable hides outer ones of the same name. */
    private static Map<String, String> symbols(String text) {
        Map<String, String> found = new HashMap<>();
        for (String sentence : text.split("(?=Symbol )")) {
            if (sentence.startsWith("Symbol ")) {
                Matcher matcher = SYMBOL.matcher(sentence.strip());
                String name = sentence.substring(7, sentence.indexOf(" is "));
                found.putIfAbsent(name, matcher.matches() ? matcher.group(2) : "");
            }
        }
        return found;
    }
}
