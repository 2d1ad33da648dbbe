package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares {@code madt reuse --affinity} with a script that knows nothing of it, and sources. */
class AffinityIT {
    private static final Path ORACLE = Path.of("oracle/affinity.py").toAbsolutePath();

    private static final String C =
            """
            #include <stdlib.h>
            struct item {
                long key; char name[40]; struct item *next; double weight; int spare[4]; int hits;
            };
            static struct item table[300];
            int main(void)
            {
                struct item *list = 0;
                for (int i = 0; i < 200; i++) {
                    struct item *new = malloc(sizeof(struct item));
                    new->key = i;
                    new->next = list;
                    new->hits = 0;
                    list = new;
                }
                long sum = 0;
                for (int round = 0; round < 9; round++)
                    for (struct item *at = list; at; at = at->next)
                        sum += at->key;
                for (struct item *at = list; at; at = at->next)
                    at->name[3] = 'x';
                for (int i = 0; i < 300; i++)
                    table[i].weight = i;
                for (int i = 0; i < 300; i++)
                    table[i].hits++;
                return sum == 1;
            }
            """;
    private static final String CXX =
            """
            struct Shape { virtual ~Shape() {} virtual int area() = 0; int id; long uses; };
            struct Box : Shape {
                int area() override { return wide * high; }
                int wide, high;
                union { float colour; int code; };
                unsigned flag : 1, kind : 3;
            };
            static Box boxes[40];
            int main()
            {
                int sum = 0;
                Box *heap = new Box[60];
                for (int i = 0; i < 60; i++) {
                    heap[i].wide = i;
                    heap[i].high = i;
                    boxes[i % 40].kind = 3;
                    boxes[i % 40].colour = 2;
                }
                for (Shape *each = heap; each < heap + 60; each = (Box *)each + 1)
                    sum += each->area() + each->uses++;
                return sum == 1;
            }
            """;
    private static final String RUST =
            """
            struct Order { id: u64, price: f64, note: [u8; 24], done: bool }
            fn main() {
                let mut orders: Vec<Order> = Vec::with_capacity(211);
                for i in 0..211u64 {
                    orders.push(Order { id: i, price: 2.0, note: [7; 24], done: false });
                }
                let mut sum = 0.0;
                for round in 0..5 {
                    for order in orders.iter_mut() {
                        sum += order.price * order.id as f64;
                        if round == 4 { order.done = true; }
                    }
                }
                std::process::exit(if sum < 0.0 { 1 } else { 0 });
            }
            """;
    private static final String THREADS =
            """
            #include <pthread.h>
            struct job { int number; int result; long started; char pad[48]; long seen; };
            static struct job jobs[64];
            static void *work(void *first)
            {
                for (int round = 0; round < 5; round++)
                    for (struct job *at = first; at < jobs + 64; at += 4) {
                        at->result += at->number;
                        at->started = round;
                    }
                return 0;
            }
            int main(void)
            {
                pthread_t threads[4];
                for (int i = 0; i < 4; i++)
                    pthread_create(&threads[i], 0, work, &jobs[i]);
                for (int i = 0; i < 64; i++)
                    jobs[i].seen += jobs[i].number;
                for (int i = 0; i < 4; i++)
                    pthread_join(threads[i], 0);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    private String record(String compiler, String name, String source) throws Exception {
        Path file = Files.writeString(directory.resolve(name), source);
        Path program = directory.resolve("program");
        String trace = directory.resolve("t.madt").toString();
        MadtRun.command(
                        directory,
                        List.of(compiler, "-g", "-o", program.toString(), file.toString()))
                .expect(0);
        madt("run", "-q", "-o", trace, "--", program.toString());
        return trace;
    }

    @ParameterizedTest
    @CsvSource({"gcc, 64", "gcc, 3", "g++, 64", "rustc, 64", "gcc-threads, 16"})
    void shouldFindThePairsOfAnotherProgram(String what, int window) throws Exception {
        String trace =
                switch (what) {
                    case "gcc" -> record("gcc", "program.c", C);
                    case "g++" -> record("g++", "program.cpp", CXX);
                    case "rustc" -> record("rustc", "program.rs", RUST);
                    default -> record("gcc", "program.c", THREADS);
                };
        Path accesses = directory.resolve("accesses.csv");
        madt(
                "sql",
                "--format",
                "csv",
                "-o",
                accesses.toString(),
                trace,
                "select thread, symbol, member, type from accesses order by number");
        List<String> expected = MadtRun.command(
                        directory,
                        List.of("sh", "-c", "python3 " + ORACLE + " " + window + " <" + accesses))
                .expect(0)
                .text()
                .lines()
                .sorted()
                .toList();
        assertTrue(expected.size() > 2, expected.toString());
        assertEquals(expected, pairs(trace, window));
    }

    /** The pairs, as the script writes them. */
    private List<String> pairs(String trace, int window) throws Exception {
        List<String> pairs = new ArrayList<>();
        for (Map<String, String> row : CsvLine.rows(
                madt("reuse", "--affinity", "" + window, "--pairs", "--format", "csv", trace))) {
            boolean turned = row.get("member").compareTo(row.get("other")) > 0;
            Stream<String> columns = turned
                    ? Stream.of("other", "member", "of_other", "accesses", "near_of_other", "near")
                    : Stream.of("member", "other", "accesses", "of_other", "near", "near_of_other");
            pairs.add(row.get("type").replaceAll("\\?$", "") + ";"
                    + String.join(";", columns.map(row::get).toList()));
        }
        return pairs.stream().sorted().toList();
    }

    /** Groups, what was never touched, and a picture of as many cells as pairs of members. */
    @Test
    void shouldSayHowToSplit() throws Exception {
        String trace = record("gcc", "program.c", C);
        MadtRun said = MadtRun.madt(directory, "reuse", "--affinity", "--format", "csv", trace)
                .expect(0);
        List<String> rows = CsvLine.rows(said.text()).stream()
                .map(row -> row.get("member") + " " + row.get("offset") + " " + row.get("size")
                        + " " + row.get("group"))
                .toList();
        assertEquals(
                List.of(
                        "next 48 8 A",
                        "key 0 8 A",
                        "hits 80 4 B",
                        "weight 56 8 C",
                        "name 8 40 D",
                        "spare 64 16 "),
                rows);
        assertTrue(
                said.errors()
                        .contains("struct item?: keep together next, key (76.4 % of its accesses,"
                                + " 16 of 88 bytes); apart hits; apart weight; apart name; never"
                                + " accessed: spare (16 bytes)."),
                said.errors());
        String picture = madt("reuse", "--affinity", "--format", "svg", trace);
        assertEquals(25, picture.split("<title>[a-z]+, [a-z]+: ", -1).length - 1, picture);
        assertTrue(madt("reuse", "--affinity", "--format", "html", trace).contains("weight"));
    }
}
