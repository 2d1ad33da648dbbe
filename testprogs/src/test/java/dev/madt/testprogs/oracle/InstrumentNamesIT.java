package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables of C++ by the names that a user gives them, and the types of arguments and results. */
class InstrumentNamesIT {
    private static final String SOURCE =
            """
            static int counter = 1;
            namespace shop { int visits = 3; static int hidden = 4; }
            namespace depot { static int hidden = 40; }
            namespace { short anonymous = -6; }
            struct Till { static int total; int mine; int take(int); };
            int Till::total = 5;
            static Till till{7};
            __attribute__((noinline)) int Till::take(int n)
            {
                static int calls = 0;
                counter += n; shop::hidden += n; depot::hidden += n; anonymous += n;
                calls++; total++; shop::visits--;
                return n % 3 ? -1 : mine + calls;
            }
            int main()
            {
                int sum = 0;
                for (int i = -4; i < 5; i++)
                    sum += till.take(i);
                return sum == 0;
            }
            """;

    @TempDir
    Path directory;

    private Path program;

    @BeforeEach
    void compile() throws Exception {
        Path source = Files.writeString(directory.resolve("till.cc"), SOURCE);
        program = directory.resolve("till");
        MadtRun.command(directory, List.of("g++", "-g", "-O1", "-o", "" + program, "" + source))
                .expect(0);
    }

    private MadtRun run(String... instruments) throws Exception {
        return InstrumentsIT.run(directory, List.of(instruments), program.toString());
    }

    private List<String> hits() throws Exception {
        return InstrumentsIT.hits(directory, line -> true);
    }

    @Test
    void shouldFindVariablesOfNamespacesAndClasses() throws Exception {
        String names = "counter shop::visits visits shop::hidden depot::hidden anonymous"
                + " Till::total total calls till.mine";
        run("--at", "Till::take", "log " + names).expect(0);
        assertEquals(9, hits().size());
        assertEquals(
                "counter=1 shop::visits=3 visits=3 shop::hidden=4 depot::hidden=40 anonymous=-6"
                        + " Till::total=5 total=5 calls=0 till.mine=7",
                hits().get(0));
        assertEquals(
                "counter=-3 shop::visits=2 visits=2 shop::hidden=0 depot::hidden=36"
                        + " anonymous=-10 Till::total=6 total=6 calls=1 till.mine=7",
                hits().get(1));
        MadtRun several = run("--at", "Till::take", "log hidden");
        assertEquals(125, several.status());
        assertTrue(
                several.errors()
                        .contains("several variables are called 'hidden': depot::hidden,"
                                + " shop::hidden"),
                several.errors());
    }

    /** Members go before globals, and names of constants stand for their numbers in conditions. */
    @Test
    void shouldFindWhatIsNearest() throws Exception {
        Path source = Files.writeString(
                directory.resolve("near.cc"),
                """
                int width = -1, height = -2;
                enum Mode { off, on };
                struct Base { static int height; enum { few = 3 } limit; int depth; };
                int Base::height = 6;
                struct Box : Base {
                    int width; Mode mode; Box &next;
                    __attribute__((noinline)) int area(int depth);
                    static __attribute__((noinline)) int sum(int n) { return n + height; }
                };
                int Box::area(int depth) { return width * height + depth + mode; }
                int main() {
                    Box box{{Base::few, 50}, 5, on, box};
                    int sum = 0;
                    for (int i = 0; i < 4; i++) {
                        box.mode = i % 2 ? on : off;
                        sum += box.area(i) + Box::sum(i);
                    }
                    return sum == 0;
                }
                """);
        program = directory.resolve("near");
        MadtRun.command(directory, List.of("g++", "-g", "-O1", "-o", "" + program, "" + source))
                .expect(0);
        run(
                        "--at",
                        "Box::area",
                        "log width height depth this->depth ::width next.next.width mode",
                        "--if",
                        "mode == on && depth <= few")
                .expect(0);
        String members =
                "width=5 height=6 depth=%d this->depth=50 ::width=-1 next.next.width=5" + " mode=1";
        assertEquals(Stream.of(1, 3).map(members::formatted).toList(), hits());
        run("--at", "Box::sum", "log height width n", "--if", "n == Mode::on").expect(0);
        assertEquals(List.of("height=6 width=-1 n=1"), hits());
        MadtRun wrong = run("--at", "Box::area", "log with");
        assertTrue(wrong.errors().contains("Did you mean 'width'"), wrong.errors());
    }

    /** The upper half of a register holds anything where the type is shorter. */
    @Test
    void shouldKnowTheSignsOfArgumentsAndResults() throws Exception {
        run(
                        "--at",
                        "Till::take",
                        "log arg1",
                        "--if",
                        "arg1 < 0",
                        "--at",
                        "Till::take:return",
                        "count; min ret",
                        "--if",
                        "ret == -1")
                .expect(0);
        assertEquals(Stream.of(-4, -3, -2, -1).map(n -> "arg1=" + n).toList(), hits());
        String points = MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        assertTrue(points.contains("6,Till::take:return,count; min ret,"), points);
        assertTrue(points.contains("Till::take:return,min ret,,6,-1"), points);
    }
}
