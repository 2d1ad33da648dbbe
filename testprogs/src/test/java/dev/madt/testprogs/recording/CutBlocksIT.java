package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.TraceEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of allocators by other names: their sizes, what they are cut from, and end with. */
class CutBlocksIT {
    /**
     * Pools whose first cells begin where their memory does, and blocks with room behind them for
     * notes. Nothing is wrong.
     */
    private static final String CUT =
            """
            #include <stdlib.h>
            #define NOINLINE __attribute__((noinline, noclone))
            struct cell { struct cell *next; long values[4]; };
            static struct cell *chunks[10], *freed;
            static int count, at = 100;
            NOINLINE void *cell_get(void)
            {
                struct cell *cell = freed;
                if (cell) {
                    freed = cell->next;
                    return cell;
                }
                if (at == 100) {
                    chunks[count++] = malloc(100 * sizeof *cell);
                    at = 0;
                }
                return chunks[count - 1] + at++;
            }
            NOINLINE void cell_put(struct cell *cell)
            {
                cell->next = freed;
                freed = cell;
            }
            NOINLINE void *bump_get(long size)
            {
                static long used;
                used += size;
                return (char *)chunks[0] + used - size;
            }
            NOINLINE void bump_first(void) { chunks[0] = calloc(1, 4000); }
            NOINLINE long *bump_begin(long size)
            {
                bump_first();
                return bump_get(size);
            }
            NOINLINE void *padded_get(long size) { return malloc(size + 64); }
            NOINLINE void *padded_grow(void *block, long size) { return realloc(block, size + 64); }
            NOINLINE void padded_put(void *block) { free(block); }
            static volatile long sum;
            int main(void)
            {
                struct cell *cells[250];
                for (int i = 0; i < 250; i++) {
                    cells[i] = cell_get();
                    cells[i]->values[0] = i;
                }
                for (int i = 0; i < 250; i++) {
                    sum += cells[i]->values[0];
                    cell_put(cells[i]);
                }
                while (count)
                    free(chunks[--count]);
                bump_begin(40)[4] = 1;
                for (int i = 1; i < 100; i++)
                    *(long *)bump_get(40) = i;
                free(chunks[0]);
                long *block = padded_get(8);
                for (int i = 1; i < 50; i++) {
                    block = padded_grow(block, 80 * i);
                    block[10 * i - 1] = i;
                }
                padded_put(block);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    /** A pool's memory is a block, too, though the first of its cells has the same address. */
    @Test
    void shouldKnowTheMemoryThatCellsAreCutFrom() throws Exception {
        Files.writeString(directory.resolve("cut.c"), CUT);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "cut", "cut.c"))
                .expect(0);
        Recorder recorder = new Recorder(directory)
                .with(
                        "--alloc",
                        "cell_get(=40)=ret,cell_put(0),bump_get(0)=ret,bump_begin(0)=ret,"
                                + "padded_get(0)=ret,padded_grow(0,1)=ret,padded_put(0)");
        MadtRun run = recorder.run("./cut").expect(0);
        assertEquals("", run.errors());
        String trace = recorder.trace().toString();
        TraceFile.check(recorder.trace());
        String found = MadtRun.madt(directory, "defects", trace).text();
        assertTrue(found.startsWith("No defect."), found);
        String sites = NamedAllocatorsIT.reported(directory, trace, "site");
        Set<String> told = CsvLine.rows(sites).stream()
                .map(row -> row.get("allocation_site").replaceFirst("[+].*", "")
                        + ' '
                        + row.get("blocks")
                        + ' '
                        + row.get("allocated")
                        + ' '
                        + row.get("alive"))
                .collect(Collectors.toSet());
        for (String wanted : List.of(
                "<malloc@cell_get 3 12000 0",
                "<alloc@main 250 10000 0",
                "<calloc@bump_first 1 4000 0",
                "<alloc@main 99 3960 0",
                "<malloc@padded_get 1 72 0")) {
            assertTrue(told.contains(wanted), wanted + "\n" + sites);
        }
    }

    /** Functions of allocators that have a name: what they take for a size, and end at once. */
    private static final String PRESETS =
            """
            #include <stdlib.h>
            #include <string.h>
            #define NOINLINE __attribute__((noinline, noclone))
            NOINLINE void *_safe_emalloc(size_t count, size_t size, size_t more)
            {
                return malloc(count * size + more);
            }
            NOINLINE void *_safe_erealloc(void *old, size_t count, size_t size, size_t more)
            {
                return realloc(old, count * size + more);
            }
            NOINLINE void _efree(void *block) { free(block); }
            NOINLINE void *sqlite3_malloc(int size)
            {
                long *block = malloc(((size + 7) & ~7) + 8);
                block[0] = size;
                return block + 1;
            }
            NOINLINE void sqlite3_free(void *block) { free((long *)block - 1); }
            struct node { long value; struct node *next; };
            static struct node nodes[100];
            static int used;
            NOINLINE void *g_slice_alloc(size_t size)
            {
                return used < 50 ? &nodes[used++] : malloc(size);
            }
            NOINLINE void g_slice_free_chain_with_offset(size_t size, void *chain, size_t offset)
            {
                while (chain) {
                    void *next = *(void **)((char *)chain + offset);
                    if ((char *)chain < (char *)nodes || (char *)chain >= (char *)(nodes + 100))
                        free(chain);
                    else
                        used -= size == sizeof *nodes;
                    chain = next;
                }
            }
            static volatile int zero;
            int main(void)
            {
                char *block = _safe_emalloc(2, 8, 24 + zero);
                for (int i = 0; i < 40; i++)
                    block[i] = i;
                block = _safe_erealloc(block, 3, 8, 24 + zero);
                for (int i = 0; i < 48; i++)
                    block[i] = i;
                _efree(block);
                block = sqlite3_malloc(3 + zero);
                memset(block, 1, 8 + zero);
                sqlite3_free(block);
                struct node *list = NULL, *node;
                for (int i = 0; i < 100; i++) {
                    node = g_slice_alloc(sizeof *node);
                    node->value = i;
                    node->next = list;
                    list = node;
                }
                g_slice_free_chain_with_offset(sizeof *node, list, 8 + zero);
                return 0;
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldKnowHowLargeBlocksAreAndWhichEnd(String engine) throws Exception {
        Files.writeString(directory.resolve("presets.c"), PRESETS);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "presets", "presets.c"))
                .expect(0);
        Recorder recorder =
                new Recorder(directory).engine(engine).with("--alloc", "php,sqlite3,glib");
        recorder.run("./presets").expect(0);
        TraceFile.check(recorder.trace());
        String trace = recorder.trace().toString();
        String found = MadtRun.madt(directory, "defects", trace).text();
        assertTrue(found.startsWith("No defect."), found);
        String sites = NamedAllocatorsIT.reported(directory, trace, "site");
        assertTrue(
                Set.of("1 8", "1 40", "1 48", "100 1600")
                        .equals(CsvLine.rows(sites).stream()
                                .filter(row -> row.get("allocation_site").startsWith("<alloc"))
                                .map(row -> row.get("blocks") + ' ' + row.get("allocated"))
                                .collect(Collectors.toSet())),
                sites);
    }

    /**
     * Blocks of malloc's, some of which are pools that cells are cut from, in any order, and then
     * the same in a child. It writes down what comes and ends; cells end with their pool.
     */
    private static final String AMONG =
            """
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/wait.h>
            #include <unistd.h>
            #define NOINLINE __attribute__((noinline, noclone))
            enum { SLOTS = 64, CELLS = 8 };
            static struct { char *memory; int pool, cells, alive[CELLS]; } slots[SLOTS];
            static char text[1 << 20];
            static int length;
            static unsigned seed = 1;
            static void say(const char *what, void *block)
            {
                length += snprintf(text + length, sizeof text - length, "%s %p\\n", what, block);
            }
            static unsigned any(unsigned below)
            {
                seed = seed * 1103515245 + 12345;
                return (seed >> 16) % below;
            }
            NOINLINE void *cell_get(int slot)
            {
                slots[slot].alive[slots[slot].cells] = 1;
                return slots[slot].memory + 32 * slots[slot].cells++;
            }
            NOINLINE void cell_put(long *cell) { cell[1] = cell[0]; }
            static void begin(int slot)
            {
                slots[slot].pool = !any(4);
                slots[slot].cells = 0;
                slots[slot].memory = malloc(any(3) ? 32 * CELLS : 16 + 256 * slots[slot].pool);
                say("malloc", slots[slot].memory);
            }
            static void end(int slot)
            {
                say("free", slots[slot].memory);
                for (int i = 0; i < slots[slot].cells; i++)
                    if (slots[slot].alive[i])
                        say("end", slots[slot].memory + 32 * i);
                free(slots[slot].memory);
                slots[slot].memory = NULL;
            }
            static void work(int steps)
            {
                while (steps--) {
                    int slot = any(SLOTS), cell = any(CELLS);
                    if (!slots[slot].memory) {
                        begin(slot);
                    } else if (!slots[slot].pool || !any(6)) {
                        end(slot);
                    } else if (slots[slot].cells < CELLS && any(3)) {
                        say("cut", cell_get(slot));
                    } else if (slots[slot].alive[cell] && cell < slots[slot].cells) {
                        say("end", slots[slot].memory + 32 * cell);
                        slots[slot].alive[cell] = 0;
                        cell_put((long *)(slots[slot].memory + 32 * cell));
                    }
                }
                write(1, text, length);
                write(1, "\\n", 1);
                length = 0;
            }
            int main(void)
            {
                work(6000);
                if (!fork()) {
                    work(3000);
                    _exit(0);
                }
                wait(NULL);
                work(1000);
                return 0;
            }
            """;

    /** Lists the blocks that come and end, in their order, as the program does. */
    private static final class Comings extends QuietConsumer {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void ring(TraceEvent event) {
            if (!(event instanceof TraceEvent.Allocation one)) {
                return;
            }
            switch (one.type()) {
                case MALLOC -> say("malloc ", one.address());
                case FREE -> say("free ", one.old());
                case NAMED_ALLOC -> say("cut ", one.address());
                case NAMED_FREE -> say("end ", one.old());
                default -> {}
            }
        }

        private void say(String what, long address) {
            text.append(what).append("0x").append(Long.toHexString(address)).append('\n');
        }
    }

    /** Also in a child, which has pools from its parent. */
    @Test
    void shouldKnowWhatEndsWithBlocksAmongOthersThatEndAlone() throws Exception {
        Files.writeString(directory.resolve("among.c"), AMONG);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-w", "-o", "among", "among.c"))
                .expect(0);
        Recorder recorder =
                new Recorder(directory).with("--alloc", "cell_get(=32)=ret,cell_put(0)");
        MadtRun run = recorder.run("./among").expect(0);
        assertEquals("", run.errors());
        String[] written = run.text().split("\n\n");
        String parent = written[0] + '\n' + written[2].strip() + '\n';
        assertTrue(parent.contains("free") && parent.contains("end") && parent.contains("cut"));
        assertEquals(parent, comings(recorder.trace()));
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> children = files.filter(
                            file -> file.getFileName().toString().startsWith("t.madt."))
                    .toList();
            assertEquals(1, children.size());
            assertEquals(written[1] + '\n', comings(children.get(0)));
        }
    }

    private static String comings(Path trace) throws Exception {
        TraceFile.check(trace);
        return TraceFile.read(trace, new Comings()).text.toString();
    }
}
