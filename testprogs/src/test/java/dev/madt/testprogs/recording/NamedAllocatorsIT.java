package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.NamedBlocks;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.TraceEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Allocators by other names: what a program writes down of its own is what the trace says. */
class NamedAllocatorsIT {
    /** Of named_alloc.c. */
    private static final String FORMS = "list_alloc(1)=ret, list_free(0), list_realloc(0,2)=ret,"
            + "node_new(=2072)=ret,plain_alloc(0*1)=ret,plain_free(0),arena_alloc(1)=ret in 0,"
            + "arena_end(0) ends";

    private static final Path PYTHON = Path.of("/usr/bin/python3");
    /** Leaves without an allocation behind the count. */
    private static final String PYTHON_SCRIPT =
            """
            import mmap, os, sys

            point, name = int(sys.argv[1]), sys.argv[2]
            with open(name, 'w+b') as file:
                file.truncate(8)
                counted = memoryview(mmap.mmap(file.fileno(), 8)).cast('q')
            count, leave = sys.getallocatedblocks, os._exit
            words = {}
            for i in range(3001):
                words['word%d' % (i % 701)] = [i, str(i), (i, i * 1.5)]
            if point > 1:
                for key in list(words)[::3]:
                    del words[key]
            if point > 2:
                text = ','.join(str(value) for value in words.values())
                words = {n: text[n:n + 40] for n in range(997)}
            counted[0] = count()
            leave(0)
            """;

    /** Pools in memory of four kinds, and the same accesses to each by the same instructions. */
    private static final String POOLS =
            """
            #define _GNU_SOURCE
            #include <stdlib.h>
            #include <sys/mman.h>
            struct pool { char *arena; long used; };
            static char table[1 << 12];
            static __thread char own[1 << 12];
            #define NOINLINE __attribute__((noinline, noclone))
            NOINLINE void *pool_get(struct pool *pool, long size)
            {
                pool->used += size;
                return pool->arena + pool->used - size;
            }
            NOINLINE void pool_put(long *block) { block[1] = block[0]; }
            NOINLINE void set(volatile long *at) { *at = 1; }
            NOINLINE long get(volatile long *at) { return *at; }
            #define USE(name, memory) \\
                NOINLINE void *name(void) \\
                { \\
                    struct pool pool = { memory, 0 }; \\
                    void *block = pool.arena; \\
                    set(block); \\
                    for (int i = 0; i < 50; i++) { \\
                        block = pool_get(&pool, 16); \\
                        set(block); \\
                        get(block); \\
                    } \\
                    return block; \\
                }
            USE(of_heap, malloc(1 << 12))
            USE(of_mapping, mmap(0, 1 << 12, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            USE(of_variable, table)
            USE(of_storage, own)
            int main(void)
            {
                void *blocks[] = { of_heap(), of_mapping(), of_variable(), of_storage() };
                for (int i = 0; i < 4; i++)
                    pool_put(blocks[i]);
                for (int i = 0; i < 4; i++)
                    set(blocks[i]);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    /** Lists what allocators by other names did, as named_alloc.c writes it, by thread. */
    private static final class NamedEvents extends QuietConsumer {
        private final Map<Integer, List<String>> events = new TreeMap<>();

        @Override
        public void ring(TraceEvent event) {
            if (!(event instanceof TraceEvent.Allocation one)) {
                return;
            }
            String text =
                    switch (one.type()) {
                        case NAMED_ALLOC -> text("alloc", one.address(), one.size(), 0);
                        case NAMED_FREE -> text("free", one.old(), 0, 0);
                        case NAMED_REALLOC_END ->
                            one.address() == 0
                                    ? null
                                    : text("move", one.address(), one.size(), one.old());
                        default -> null;
                    };
            if (text != null) {
                events.computeIfAbsent(one.thread(), thread -> new ArrayList<>())
                        .add(text);
            }
        }

        private static String text(String what, long address, long size, long old) {
            return what + " 0x" + Long.toHexString(address) + " " + size + " "
                    + (old == 0 ? "(nil)" : "0x" + Long.toHexString(old));
        }
    }

    private static List<String> written(String output, int thread) {
        return output.lines()
                .filter(line -> line.startsWith(thread + " "))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"splice,O0,4,501", "trap,O2,2,101"})
    @SoakCases({"splice,O2,1,3001", "splice,O0,4,3001"})
    void shouldSayWhatTheProgramWritesDown(String engine, String build, int threads, int steps)
            throws Exception {
        Recorder recorder = new Recorder(directory).engine(engine).with("--alloc", FORMS);
        String output = recorder.run(
                        MadtRun.program("named_alloc." + build).toString(),
                        Integer.toString(threads),
                        Integer.toString(steps))
                .expect(0)
                .text();
        TraceFile.check(recorder.trace());
        List<List<String>> told = new ArrayList<>(
                TraceFile.read(recorder.trace(), new NamedEvents()).events.values());
        assertEquals(threads, told.size());
        for (int thread = 0; thread < threads; thread++) {
            List<String> wanted = written(output, thread);
            assertFalse(wanted.isEmpty());
            assertTrue(told.contains(wanted), () -> differences(wanted, told));
        }
    }

    private static String differences(List<String> wanted, List<List<String>> told) {
        return told.stream()
                .map(one -> {
                    int at = 0;
                    while (at < Math.min(one.size(), wanted.size())
                            && one.get(at).equals(wanted.get(at))) {
                        at++;
                    }
                    return "of " + wanted.size() + " and " + one.size() + " from " + at + ": "
                            + wanted.subList(at, Math.min(wanted.size(), at + 3)) + " and "
                            + one.subList(at, Math.min(one.size(), at + 3));
                })
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldGiveAddressesToTheInnermostBlock() throws Exception {
        Recorder recorder = new Recorder(directory).with("--alloc", FORMS);
        recorder.run(MadtRun.program("named_alloc.O2").toString(), "1").expect(0);
        String lines = MadtRun.madt(
                        directory, "print", "--kind", "store", recorder.trace().toString())
                .expect(0)
                .text();
        long inner = lines.lines()
                .filter(line -> line.contains("<alloc") && line.contains("work"))
                .count();
        long outer = lines.lines()
                .filter(line -> line.contains("@list_alloc") && line.contains("<malloc"))
                .count();
        assertTrue(inner > 10_000, "" + inner);
        assertEquals(0, outer);
    }

    /** Checks that what a pool hands out wins over the variable that it lies in. */
    @Test
    void shouldGiveAddressesInVariablesToTheBlocksInThem() throws Exception {
        Files.writeString(directory.resolve("pools.c"), POOLS);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "pools", "pools.c"))
                .expect(0);
        Recorder recorder =
                new Recorder(directory).with("--tls", "--alloc", "pool_get(1)=ret,pool_put(0)");
        recorder.run("./pools").expect(0);
        String trace = recorder.trace().toString();
        List<String> pools = List.of("of_heap", "of_mapping", "of_variable", "of_storage");
        String sites = reported(directory, trace, "site");
        for (String pool : pools) {
            assertTrue(
                    CsvLine.rows(sites).stream()
                            .filter(row -> row.get("allocation_site").contains('@' + pool + '+'))
                            .anyMatch(row -> row.get("loads").equals("50")
                                    && row.get("stores").equals("51")
                                    && row.get("never_accessed").equals("400")),
                    pool + "\n" + sites);
        }
        for (String variable : List.of("table", "own")) {
            String symbols = reported(directory, trace, "symbol");
            assertTrue(
                    CsvLine.rows(symbols).stream()
                            .filter(row -> row.get("symbol").equals(variable))
                            .anyMatch(row -> row.get("loads").equals("0")
                                    && row.get("stores").equals("1")),
                    symbols);
        }
        String lines = MadtRun.madt(directory, "print", "--symbol", "<alloc*", trace)
                .expect(0)
                .text();
        for (String pool : pools) {
            assertEquals(
                    51,
                    lines.lines()
                            .filter(line -> line.startsWith("S") && line.contains("@" + pool + "+"))
                            .count(),
                    lines);
        }
        String found = MadtRun.madt(directory, "defects", trace).text();
        for (String pool : pools) {
            assertTrue(found.contains("@" + pool + "+"), found);
        }
    }

    private static final String WRONG =
            """
            #include <stdlib.h>
            static char table[1 << 16];
            static long used;
            __attribute__((noinline)) void *pool_get(long size)
            {
                used += size;
                return table + used - size;
            }
            int main(int count, char **arguments)
            {
                for (int i = 0; i < 50; i++)
                    ((void *(*)(long, void *))pool_get)(16, arguments[0]);
                return 0;
            }
            """;

    /** Debug information knows how many arguments a function has. */
    @Test
    void shouldRefuseAnArgumentThatIsNone() throws Exception {
        Files.writeString(directory.resolve("wrong.c"), WRONG);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "wrong", "wrong.c"))
                .expect(0);
        MadtRun run = wrong("pool_get(1)=ret").expect(125);
        assertEquals(
                "madt: --alloc pool_get: there is no argument 1. By the debug information the"
                        + " function is pool_get(size); arguments count from 0.\n",
                run.errors());
        assertFalse(Files.exists(directory.resolve("wrong.madt")));
        assertEquals("", wrong("pool_get(0)=ret").expect(0).errors());
    }

    @Test
    void shouldSayThatSizesCannotBe() throws Exception {
        Files.writeString(directory.resolve("wrong.c"), WRONG);
        MadtRun.command(directory, List.of("gcc", "-O1", "-o", "wrong", "wrong.c"))
                .expect(0);
        MadtRun run = wrong("pool_get(1)=ret").expect(0);
        assertEquals(
                "madt: --alloc: 50 blocks have no size: what was taken for it cannot be one. Does"
                        + " the argument that tells the size have another number? Arguments count"
                        + " from 0.\n",
                run.errors());
        String sites = reported(directory, "wrong.madt", "site");
        assertEquals("0", CsvLine.rows(sites).get(0).get("allocated"), sites);
        String info = MadtRun.madt(directory, "info", "wrong.madt").expect(0).text();
        assertTrue(info.contains("50 blocks without a size: what was taken"), info);
    }

    private MadtRun wrong(String form) throws Exception {
        return MadtRun.madt(
                directory, "run", "-q", "-f", "--alloc", form, "-o", "wrong.madt", "./wrong");
    }

    static String reported(Path directory, String trace, String by) throws Exception {
        return MadtRun.madt(directory, "report", "--by", by, "--format", "csv", trace)
                .expect(0)
                .text();
    }

    @Test
    void shouldFindNoDefectInAProgramWithoutAny() throws Exception {
        Recorder recorder = new Recorder(directory).with("--alloc", FORMS);
        recorder.run(MadtRun.program("named_alloc.O2").toString(), "1").expect(0);
        String found =
                MadtRun.madt(directory, "defects", recorder.trace().toString()).text();
        for (String defect :
                List.of("after it was freed", "freed twice", "no block", "not freed")) {
            assertFalse(found.contains(defect), found);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    @SoakCases({"1", "2"})
    void shouldCountTheBlocksThatPythonCounts(int point) throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), "no " + PYTHON);
        Path script = directory.resolve("count.py");
        Path counted = directory.resolve("counted");
        Files.writeString(script, PYTHON_SCRIPT);
        Recorder recorder = new Recorder(directory)
                .with("--alloc", "python", "--start", "load", "--max-events", "1000");
        recorder.run(
                        PYTHON.toString(),
                        script.toString(),
                        Integer.toString(point),
                        counted.toString())
                .expect(0);
        long wanted = ByteBuffer.wrap(Files.readAllBytes(counted))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
        assertTrue(wanted > 10_000, "" + wanted);
        assertEquals(wanted, TraceFile.read(recorder.trace(), new NamedBlocks()).count());
    }

    @Test
    void shouldSayWhichEndsHaveNoBeginning() throws Exception {
        Recorder recorder = new Recorder(directory).with("--alloc", "list_free(0)");
        recorder.run(MadtRun.program("named_alloc.O2").toString(), "1", "101").expect(0);
        String info =
                MadtRun.madt(directory, "info", recorder.trace().toString()).text();
        assertTrue(info.contains("allocators      list_free: 1 function\n"), info);
        assertTrue(info.contains(" ends of blocks whose beginning was not recorded"), info);
    }

    @Test
    void shouldSayWhichFunctionsCannotBeFollowed() throws Exception {
        Recorder recorder = new Recorder(directory).with("--alloc", "tiny_free(0),list_free(0)");
        MadtRun run = recorder.run(MadtRun.program("named_alloc.O2").toString(), "1", "101")
                .expect(0);
        assertTrue(
                run.errors()
                        .contains("--alloc: 1 function of named_alloc.O2 cannot be followed, for"
                                + " want of room for a jump: blocks are missing."),
                run.errors());
        String info =
                MadtRun.madt(directory, "info", recorder.trace().toString()).text();
        assertTrue(
                info.contains("tiny_free, list_free: 2 functions, 1 of them without room"), info);
    }

    @Test
    void shouldSayWhichNamesNoModuleHas() throws Exception {
        MadtRun run = new Recorder(directory)
                .with("--alloc", "list_aloc(1)=ret", "--alloc", "list_free(0)")
                .run(MadtRun.program("named_alloc.O2").toString(), "1")
                .expect(0);
        assertTrue(
                run.errors()
                        .contains("--alloc list_aloc names no function of the program or its"
                                + " libraries. Did you mean 'list_alloc'?"),
                run.errors());
        assertFalse(run.errors().contains("--alloc list_free names"), run.errors());
    }
}
