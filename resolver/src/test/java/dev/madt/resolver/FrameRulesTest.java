package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.dwarf.FrameRules;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** readelf, which interprets the same table, is the judge. */
class FrameRulesTest {
    /** A row of a function: address, rule. */
    private static final Pattern ROW = Pattern.compile(
            "([0-9a-f]{16}) (?:(rsp|rbp|r\\d+|rax|rcx|rdx|rbx|rsi|rdi)([+-]\\d+)|(exp)) +.*");

    /** In the order of DWARF's numbers. */
    private static final List<String> NUMBERS = List.of(
            "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12",
            "r13", "r14", "r15", "ra");

    @ParameterizedTest
    @ValueSource(strings = {"/bin/bash", "/lib/x86_64-linux-gnu/libc.so.6"})
    void shouldHaveTheRulesThatReadelfPrints(String file) throws Exception {
        ElfModule module = Analysed.open(Path.of(file));
        ProcessBuilder readelf = new ProcessBuilder("readelf", "--debug-dump=frames-interp", file);
        readelf.environment().put("LC_ALL", "C");
        Process process = readelf.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        int compared = 0;
        int saved = 0;
        boolean function = false;
        List<String> columns = List.of();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                function = line.contains(" FDE ") || function && !line.contains(" CIE");
                Matcher row = ROW.matcher(line);
                if (line.trim().startsWith("LOC ")) {
                    columns = List.of(line.trim().split(" +"));
                }
                if (function && row.matches()) {
                    long address = Long.parseLong(row.group(1), 16);
                    FrameRules.Rule rule = module.frame(address);
                    Map<Integer, Long> places = saved(
                            columns, line.trim().replaceAll(" \\(\\w+\\)", "").split(" +"));
                    assertEquals(places, module.saved(address), line);
                    saved += places.size();
                    if (row.group(4) != null) {
                        assertNull(rule, line);
                        continue;
                    }
                    assertNotNull(rule, line);
                    assertEquals(Long.parseLong(row.group(3)), rule.offset(), line);
                    assertEquals(
                            "rsp".equals(row.group(2)), rule.register() == FrameRules.RSP, line);
                    assertEquals(
                            "rbp".equals(row.group(2)), rule.register() == FrameRules.RBP, line);
                    compared++;
                }
            }
        }
        assertTrue(compared > 10_000, "rows: " + compared);
        assertTrue(saved > 10_000, "places of registers: " + saved);
    }

    /** Returns what a row says of the registers that its columns are for. */
    private static Map<Integer, Long> saved(List<String> columns, String[] row) {
        Map<Integer, Long> saved = new HashMap<>();
        for (int i = 2; i < columns.size() && i < row.length; i++) {
            if (row[i].startsWith("c")) {
                saved.put(NUMBERS.indexOf(columns.get(i)), Long.parseLong(row[i].substring(1)));
            }
        }
        return saved;
    }

    @Test
    void shouldHaveNoRuleOutsideAllFunctions() throws Exception {
        ElfModule module = Analysed.open(Path.of("/bin/bash"));
        assertNull(module.frame(0));
        assertNull(module.frame(Long.MAX_VALUE));
    }
}
