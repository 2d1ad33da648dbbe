package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CalledLines;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses of a program count for the lines of its author: for the innermost of those that
 * {@code addr2line -i} tells of an instruction, where library code is inlined; and where no line is
 * the author's, for the one line that all calls of the function come from.
 */
class OwnLinesIT {
    private static final String CPP =
            """
            #include <algorithm>
            #include <unordered_map>
            #include <vector>
            struct Item { long key; double price; };
            int main(int count, char **) {
                std::vector<Item> items;
                for (int i = 0; i < 307; i++)
                    items.push_back({i * 7919 % 1009, count * 0.5});
                std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
                    return a.key < b.key;
                });
                std::unordered_map<long, double> prices;
                for (const Item &item : items)
                    prices[item.key] += item.price;
                double sum = 0;
                for (const auto &price : prices)
                    sum += price.second;
                return sum < 0;
            }
            """;
    private static final String FORTRAN =
            """
            program own
              real(8), allocatable :: field(:,:)
              integer :: i, j
              allocate(field(20,20))
              field = 1
              do j = 1, 20
                do i = 2, 20
                  field(i,j) = field(i-1,j) + field(i,j)
                end do
              end do
              if (sum(field) < 0) stop 1
            end program
            """;
    private static final String RUST =
            """
            struct Order { id: u64, price: f64 }
            fn main() {
                let mut orders: Vec<Order> = (0..211u64)
                    .map(|i| Order { id: i, price: ((i * 7919) % 1009) as f64 })
                    .collect();
                orders.sort_by(|a, b| a.price.partial_cmp(&b.price).unwrap());
                let sum: f64 = orders.iter().map(|order| order.price * order.id as f64).sum();
                std::process::exit(if sum < 0.0 { 1 } else { 0 });
            }
            """;

    @TempDir
    Path folder;

    private Path trace;
    private Path program;

    private void record(String compiler, String name, String source) throws Exception {
        Path file = Files.writeString(folder.resolve(name), source);
        program = folder.resolve("own");
        List<String> command = new ArrayList<>(List.of(compiler));
        command.addAll(compiler.equals("rustc") ? List.of("-O", "-g") : List.of("-O2", "-g"));
        command.addAll(List.of("-o", program.toString(), file.toString()));
        MadtRun.command(folder, command).expect(0);
        trace = folder.resolve("own.madt");
        MadtRun.madt(folder, "run", "-q", "-o", trace.toString(), "--", program.toString())
                .expect(0);
    }

    private static boolean isInstalled(String compiler) throws Exception {
        return MadtRun.command(Path.of("."), List.of("sh", "-c", "command -v " + compiler))
                        .status()
                == 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"g++", "gfortran", "rustc"})
    void shouldChargeAccessesToTheInnermostLineOfTheAuthor(String compiler) throws Exception {
        Assumptions.assumeTrue(isInstalled(compiler), "no " + compiler);
        String name = Map.of("g++", "own.cpp", "gfortran", "own.f90", "rustc", "own.rs")
                .get(compiler);
        record(compiler, name, name.equals("own.cpp") ? CPP : name.endsWith("90") ? FORTRAN : RUST);
        Map<Long, Long> counts = countsByCode();
        CalledLines calls = new CalledLines(folder, program);
        boolean lists = !compiler.equals("rustc"); // its debug information has no calls
        Map<Long, List<String>> chains = calls.chains(counts.keySet());
        Map<String, Long> own = new TreeMap<>();
        Map<String, Long> exact = new TreeMap<>();
        Map<String, Long> known = new TreeMap<>();
        for (Map.Entry<Long, Long> code : counts.entrySet()) {
            List<String> chain = chains.get(code.getKey());
            exact.merge(shown(chain.get(0)), code.getValue(), Long::sum);
            known.merge(
                    chain.stream()
                            .map(OwnLinesIT::shown)
                            .filter(line -> !line.equals("?"))
                            .findFirst()
                            .orElse("?"),
                    code.getValue(),
                    Long::sum);
            own.merge(
                    shown(charged(code.getKey(), chain, lists ? calls : null)),
                    code.getValue(),
                    Long::sum);
        }
        assertTrue(own.keySet().stream().anyMatch(line -> line.startsWith(name)), own.toString());
        assertEquals(exact, report("--exact"));
        assertEquals(own, report());
        assertEquals(own, report("--source-root", folder.toString()));
        assertEquals(known, report("--source-root", "/"));
    }

    /**
     * The line that an instruction counts for, by its chain, or by the calls of its function unless
     * they are null.
     */
    private String charged(long code, List<String> chain, CalledLines calls) throws Exception {
        for (String line : chain) {
            if (line.startsWith(folder.toString())) {
                return line;
            }
        }
        Set<String> callers =
                calls == null || chain.get(0).startsWith("?") ? Set.of() : calls.callers(code);
        String caller = callers.size() == 1 ? callers.iterator().next() : "";
        return caller.isEmpty() ? chain.get(0) : caller;
    }

    @Test
    void shouldSelectTheAccessesOfALineByItsName() throws Exception {
        record("g++", "own.cpp", CPP);
        Map<String, Long> lines = report();
        for (Map.Entry<String, Long> line : lines.entrySet()) {
            if (!line.getKey().equals("?")) {
                assertEquals(
                        Map.of(line.getKey(), line.getValue()), report("--line", line.getKey()));
            }
        }
        assertTrue(lines.containsKey("own.cpp:14"), lines.toString());
        List<String> inLibrary = MadtRun.madt(
                        folder,
                        "report",
                        "--by",
                        "line,module",
                        "--format",
                        "csv",
                        "--columns",
                        "module,line",
                        trace.toString())
                .expect(0)
                .text()
                .lines()
                .filter(row -> row.startsWith("[libc.so.6],"))
                .distinct()
                .toList();
        assertEquals(List.of("[libc.so.6],?"), inLibrary);
    }

    @Test
    void shouldNotTakeTwoSetsOfLines() throws Exception {
        record("g++", "own.cpp", "int main() {}\n");
        assertTrue(MadtRun.madt(folder, "report", "--exact", "--source-root", "/", trace.toString())
                .expect(2)
                .errors()
                .contains("--source-root and --exact exclude each other."));
    }

    /** Loads and stores of the program's own code by source line. */
    private Map<String, Long> report(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "report",
                "--by",
                "line,module",
                "--format",
                "csv",
                "--columns",
                "loads,stores,line,module"));
        command.addAll(List.of(options));
        command.add(trace.toString());
        Map<String, Long> rows = new TreeMap<>();
        for (String row : MadtRun.madt(folder, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            List<String> cells = CsvLine.cells(row);
            long count = Long.parseLong(cells.get(0)) + Long.parseLong(cells.get(1));
            if (cells.get(3).equals("[own]") && count > 0) {
                // files of one name are shown with folders
                rows.merge(cells.get(2).replaceFirst("^.*/", ""), count, Long::sum);
            }
        }
        return rows;
    }

    /** Loads and stores by the address of the instruction in the program's file. */
    private Map<Long, Long> countsByCode() throws Exception {
        ProgramFile file = new ProgramFile(program);
        long bias = TraceFile.read(trace, new OwnAccesses(file)).bias();
        Map<Long, Long> counts = new HashMap<>();
        for (String line : MadtRun.madt(folder, "print", "--raw", trace.toString())
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("[LS]#.*"))
                .toList()) {
            long code = Long.decode(line.substring(line.lastIndexOf(',') + 1)) - bias;
            if (file.isCode(code)) {
                counts.merge(code, 1L, Long::sum);
            }
        }
        return counts;
    }

    private static String shown(String line) {
        String name = line.replaceFirst("^.*/", "");
        return name.matches(".*:[?0]") ? "?" : name;
    }
}
