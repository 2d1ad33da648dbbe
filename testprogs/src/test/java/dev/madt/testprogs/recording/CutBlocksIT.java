package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
}
