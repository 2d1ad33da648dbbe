package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports by member of a real program, whose accesses to each member are counted by hand. */
class FieldReportIT {
    private static final String SOURCE =
            """
            #include <stdlib.h>
            struct limit { int hard; short soft; };
            struct config { char name[13]; struct limit limits[3]; };
            struct particle { double x; double pos[3]; int hits; };
            struct node { struct node *next; long value; };
            struct particle particles[211];
            struct config config;
            int table[401][2];
            int main(void)
            {
                struct particle *heap = calloc(97, sizeof(*heap));
                struct node *list = 0;
                for (int i = 0; i < 211; i++) {
                    particles[i].x = i;
                    particles[i].hits++;
                    particles[i].pos[i % 3] = i;
                }
                for (int i = 0; i < 401; i++)
                    table[i][1] = i;
                for (int i = 0; i < 19; i++)
                    config.limits[2].soft += config.limits[1].hard;
                for (int i = 0; i < 97; i++)
                    heap[i].pos[1] = i;
                for (int i = 0; i < 53; i++) {
                    struct node *node = malloc(sizeof(struct node));
                    node->next = list;
                    node->value = i;
                    list = node;
                }
                while (list) {
                    struct node *node = list;
                    list = node->next;
                    free(node);
                }
                free(heap);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    private String trace;

    private Path program;

    @BeforeEach
    void record() throws Exception {
        Path source = Files.writeString(directory.resolve("fields.c"), SOURCE);
        program = directory.resolve("fields");
        run("gcc", "-O0", "-g", "-o", program.toString(), source.toString());
        trace = recorded("fields.madt");
        Files.delete(source);
    }

    private void run(String... command) throws Exception {
        MadtRun.command(directory, List.of(command)).expect(0);
    }

    private String recorded(String name) throws Exception {
        String file = directory.resolve(name).toString();
        MadtRun.madt(directory, "run", "-q", "-o", file, "--", program.toString())
                .expect(0);
        return file;
    }

    /** Loads and stores by name; offsets of calls left out. */
    private Map<String, String> report(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", "--format", "csv", trace));
        command.addAll(1, List.of(options));
        Map<String, String> rows = new TreeMap<>();
        for (String row : MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            String[] cells = row.split(",");
            rows.put(cells[8].replaceFirst("\\+\\d+>", ">"), cells[1] + " " + cells[2]);
        }
        return rows;
    }

    private static long sum(Map<String, String> rows) {
        return rows.values().stream()
                .flatMap(row -> List.of(row.split(" ")).stream())
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Test
    void shouldCountTheAccessesToEachMember() throws Exception {
        Map<String, String> rows = report("--fields");
        assertEquals("0 211", rows.get("particles[].x"));
        assertEquals("211 211", rows.get("particles[].hits"));
        assertEquals("0 211", rows.get("particles[].pos[]"));
        assertEquals("0 401", rows.get("table[][]"));
        assertEquals("19 19", rows.get("config.limits[].soft"));
        assertEquals("19 0", rows.get("config.limits[].hard"));
        assertEquals("0 97", rows.get("<calloc@main>[].pos[]?"));
        assertEquals("53 53", rows.get("<malloc@main>->next?"));
        assertEquals("0 53", rows.get("<malloc@main>->value?"));
        assertEquals(sum(report()), sum(rows));
        assertTrue(report().containsKey("particles"), "rows without --fields");
    }

    /** The program's types are read there, too; those of blocks need the source. */
    @Test
    void shouldReadASeparateFile() throws Exception {
        Map<String, String> rows = variables();
        assertEquals("19 19", rows.get("config.limits[].soft"));
        Path debug = directory.resolve("fields.debug");
        run("objcopy", "--only-keep-debug", program.toString(), debug.toString());
        run("objcopy", "-g", "--add-gnu-debuglink=" + debug, program.toString());
        trace = recorded("separate.madt");
        assertEquals(rows, variables());
    }

    private Map<String, String> variables() throws Exception {
        Map<String, String> rows = report("--fields");
        rows.keySet().removeIf(name -> !name.matches("(particles|table|config)\\b.*"));
        return rows;
    }

    @Test
    void shouldTellTheElementsOfShortArraysInSingleBlocks() throws Exception {
        Map<String, String> rows = report("--fields", "--by", "block");
        assertEquals("0 71", rows.get("particles[].pos[0]"));
        assertEquals("0 70", rows.get("particles[].pos[1]"));
        assertEquals("0 401", rows.get("table[][1]"));
        assertEquals("19 19", rows.get("config.limits[2].soft"));
        assertEquals("0 97", rows.get("<calloc0001@main>[].pos[1]?"));
        assertEquals("0 1", rows.get("<malloc0002@main>->value?"));
        assertEquals(sum(report("--by", "block")), sum(rows));
    }

    @Test
    void shouldSplitRowsOfOtherKeysTheSameWay() throws Exception {
        Map<String, String> rows = report("--fields");
        assertEquals(rows, report("--fields", "--by", "symbol,thread"));
        Map<String, String> types = report("--fields", "--by", "type");
        assertEquals("0 211", types.get("struct particle.x"));
        assertEquals("0 97", types.get("struct particle.pos[]?"));
        assertEquals("53 53", types.get("struct node.next?"));
        assertEquals("19 19", types.get("struct config.limits[].soft"));
        assertEquals(sum(rows), sum(types));
    }

    /** In an object of a class itself a virtual base lies at the end, behind all other members. */
    @Test
    void shouldCountTheAccessesToMembersOfAVirtualBase() throws Exception {
        Path source = Files.writeString(
                directory.resolve("virtual.cpp"),
                """
                struct Top { virtual ~Top() {} long base; };
                struct One : virtual Top { long one; };
                struct Two : virtual Top { long two; };
                struct Both : One, Two { long own; };
                Both both;
                int main() {
                    Both *heap = new Both;
                    for (int i = 0; i < 10; i++) both.base++;
                    for (int i = 0; i < 20; i++) both.own++;
                    for (int i = 0; i < 30; i++) both.two++;
                    for (int i = 0; i < 40; i++) heap->base++;
                }
                """);
        program = directory.resolve("virtual");
        run("g++", "-O0", "-g", "-o", program.toString(), source.toString());
        trace = recorded("virtual.madt");
        Map<String, String> rows = report("--fields");
        assertEquals("10 10", rows.get("both.base"), rows.toString());
        assertEquals("20 20", rows.get("both.own"));
        assertEquals("30 30", rows.get("both.two"));
        rows.keySet().removeIf(name -> !name.matches("<.*base.*"));
        assertEquals(List.of("40 40"), List.copyOf(rows.values()));
    }
}
