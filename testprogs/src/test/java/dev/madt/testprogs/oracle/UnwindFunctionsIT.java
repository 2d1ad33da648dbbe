package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code madt functions} lists all that {@code readelf} finds in {@code .eh_frame}. */
class UnwindFunctionsIT {
    private static final Pattern CIE = Pattern.compile("([0-9a-f]+) [0-9a-f]+ 00000000 CIE");
    private static final Pattern AUGMENTATION = Pattern.compile(" +Augmentation: +\"(.*)\"");
    private static final Pattern FDE =
            Pattern.compile(".* FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\\.\\.([0-9a-f]+)");

    @TempDir
    Path directory;

    /** The FDE of a signal frame begins one byte in front of its code. */
    private Set<Long> unwound(String file) throws Exception {
        Set<Long> starts = new TreeSet<>();
        Set<String> signals = new HashSet<>();
        String cie = "";
        for (String line : MadtRun.command(
                        directory, List.of("readelf", "--debug-dump=frames,no-follow-links", file))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            var head = CIE.matcher(line);
            var augmentation = AUGMENTATION.matcher(line);
            var fde = FDE.matcher(line);
            if (head.matches()) {
                cie = head.group(1);
            } else if (augmentation.matches() && augmentation.group(1).contains("S")) {
                signals.add(cie);
            } else if (fde.matches() && !fde.group(2).equals(fde.group(3))) {
                long start = Long.parseLong(fde.group(2), 16);
                starts.add(signals.contains(fde.group(1)) ? start + 1 : start);
            }
        }
        return starts;
    }

    private List<List<String>> listed(String file) throws Exception {
        return MadtRun.madt(directory, "functions", "--format", "csv", file)
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/perl"})
    @SoakCases({"/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/node"})
    void shouldListAllThatUnwindersKnow(String file) throws Exception {
        Set<Long> missing = unwound(file);
        assertTrue(missing.size() > 1000, file);
        List<List<String>> listed = listed(file);
        missing.removeAll(
                listed.stream().map(row -> Long.decode(row.get(3))).collect(Collectors.toSet()));
        assertEquals(Set.of(), missing);
        long without = listed.stream().filter(row -> !row.get(9).equals("yes")).count();
        assertTrue(100 * without <= listed.size(), without + " of " + listed.size());
    }
}
