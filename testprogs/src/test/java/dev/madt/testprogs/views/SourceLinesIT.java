package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Source lines and members in printed traces, with program and source gone by then. */
class SourceLinesIT {
    /**
     * Behind each statement the data that it accesses, in the words of {@code --fields}, at -O0 and
     * in their order.
     */
    private static final String SOURCE =
            """
            #include <stdlib.h>
            struct cell { char tag; short weight; int count; double mean; };
            struct node { long value; struct node *next; int data[4]; };
            struct text { int length; short body[]; };
            int table[5][3];
            struct node head;
            struct { struct { int soft, hard; } limits[3]; union { int whole; short half[2]; }; } \
            config;
            char *volatile sink;
            static int add(int row, int by) { return table[row][1] += by; } // table[3][1] \
            table[3][1] table[3][1]
            struct node *make(void) { return malloc(sizeof(struct node)); }
            int main(int argc, char **argv)
            {
                struct cell *cells = malloc(4 * sizeof *cells);
                struct text *text = malloc(sizeof *text + 10);
                struct node *node = make();
                head.next = node; // head.next
                node->next = &head; // make->next?
                node->data[2] = argc; // make->data[2]?
                cells[2].mean = 0; // main[2].mean?
                cells[3].weight = 4; // main[3].weight?
                text->body[3] = 5; // main->body[3]?
                config.limits[2].soft = 7; // config.limits[2].soft
                config.whole = 1; // config.whole
                config.half[1] = 2; // config.half[1]
                add(3, 2);
                head.value++; // head.value head.value
                *((char *)&head.value + 3) = 1; // head.value+3
                return 0;
            }
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-O0 -gdwarf-5", "-O0 -gdwarf-4", "-O2 -gdwarf-5"})
    void shouldPrintLinesAndMembersWithoutTheProgram(String options) throws Exception {
        Path source = Files.writeString(folder.resolve("places.c"), SOURCE);
        Path program = folder.resolve("places");
        List<String> compile = new ArrayList<>(List.of("gcc", "-o", program.toString()));
        compile.addAll(List.of(options.split(" ")));
        compile.add(source.toString());
        MadtRun.command(folder, compile).expect(0);
        Path trace = folder.resolve("places.madt");
        MadtRun.madt(folder, "run", "-q", "-o", trace.toString(), "--", program.toString())
                .expect(0);
        Map<String, String> places = places(program, trace);
        Files.delete(source);
        Files.delete(program);

        comparePlaces(trace, places);
        if (options.startsWith("-O0")) {
            compareMembers(trace);
        }
    }

    /** Returns what addr2line says of each address in the program, by raw address. */
    private Map<String, String> places(Path program, Path trace) throws Exception {
        ProgramFile file = new ProgramFile(program);
        long bias = TraceFile.read(trace, new OwnAccesses(file)).bias();
        List<String> raw = print(trace, "--raw").stream()
                .map(line -> line.substring(line.lastIndexOf(',') + 1))
                .filter(code -> file.isCode(Long.decode(code) - bias))
                .distinct()
                .toList();
        List<String> command = new ArrayList<>(List.of("addr2line", "-e", program.toString()));
        raw.forEach(code -> command.add("0x" + Long.toHexString(Long.decode(code) - bias)));
        List<String> lines =
                MadtRun.command(folder, command).expect(0).text().lines().toList();
        Map<String, String> places = new LinkedHashMap<>();
        for (int i = 0; i < raw.size(); i++) {
            places.put(
                    raw.get(i),
                    lines.get(i)
                            .replaceFirst("^.*/", "")
                            .replaceFirst(" \\(.*", "")
                            .replaceFirst("^.*:[?0]$", "?"));
        }
        return places;
    }

    private void comparePlaces(Path trace, Map<String, String> places) throws Exception {
        List<String> plain = print(trace, "--raw");
        List<String> with = print(trace, "--raw", "--source");
        List<String> chains = print(trace, "--raw", "--inlines");
        int compared = 0;
        assertEquals(plain.size(), with.size());
        for (int i = 0; i < plain.size(); i++) {
            assertTrue(with.get(i).startsWith(plain.get(i) + ","), with.get(i));
            String place = places.get(plain.get(i).substring(plain.get(i).lastIndexOf(',') + 1));
            if (place != null) {
                assertEquals(plain.get(i) + "," + place, with.get(i));
                assertTrue(chains.get(i).endsWith(place), chains.get(i) + " for " + place);
                compared += place.equals("?") ? 0 : 1;
            }
        }
        assertTrue(compared > 5, compared + " lines compared");
    }

    private void compareMembers(Path trace) throws Exception {
        List<String> expected = new ArrayList<>();
        String[] lines = SOURCE.split("\n");
        List<String> found = new ArrayList<>();
        for (String line : print(trace, "--fields", "--source")) {
            if (line.matches("[LS]\\$.*places\\.c:\\d+")) {
                int number = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
                int comment = lines[number - 1].indexOf("// ");
                String wanted = comment < 0 ? "" : lines[number - 1].substring(comment + 3);
                String data = line.substring(line.indexOf(':') + 1, line.indexOf(','));
                String member = data.replaceFirst("<\\w+@(\\w+)\\+\\d+>", "$1");
                assertTrue(
                        List.of(wanted.split(" ")).contains(member),
                        line + ", expected: " + wanted);
                found.add(number + " " + member);
            }
        }
        for (int i = 0; i < lines.length; i++) {
            int comment = lines[i].indexOf("// ");
            for (String member : comment < 0
                    ? new String[0]
                    : lines[i].substring(comment + 3).split(" ")) {
                expected.add(i + 1 + " " + member);
            }
        }
        assertEquals(
                expected.stream().sorted().toList(), found.stream().sorted().toList());
    }

    private List<String> print(Path trace, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("print"));
        arguments.addAll(List.of(options));
        arguments.add(trace.toString());
        return MadtRun.madt(folder, arguments.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    /** Checks that what is inlined from a header of the system is the author's line in both. */
    @Test
    void shouldNameOneLineForABlockInLinesAndReports() throws Exception {
        Path source = Files.writeString(
                folder.resolve("inlined.cpp"),
                """
                #include <vector>
                int main(int count, char **) {
                    std::vector<int> values;
                    values.push_back(count);
                    return values[0] - 1;
                }
                """);
        Path program = folder.resolve("inlined");
        MadtRun.command(
                        folder,
                        List.of("g++", "-O2", "-g", "-o", program.toString(), source.toString()))
                .expect(0);
        Path trace = folder.resolve("inlined.madt");
        MadtRun.madt(folder, "run", "-q", "-o", trace.toString(), "--", program.toString())
                .expect(0);
        String report = MadtRun.madt(
                        folder,
                        "report",
                        "--by",
                        "site",
                        "--format",
                        "csv",
                        "--columns",
                        "blocks,allocated_at",
                        trace.toString())
                .expect(0)
                .text();
        assertTrue(report.contains("1,inlined.cpp:4\n"), report);
        assertEquals(
                1,
                print(trace, "--source").stream()
                        .filter(line -> line.matches("M\\$.*,4,inlined\\.cpp:4"))
                        .count());
    }
}
