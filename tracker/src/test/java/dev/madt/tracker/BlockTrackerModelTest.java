package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random events over a small address space, compared with a model that notes for each cell of 16
 * bytes whose it is. Blocks are multiples of a cell, mappings of a page.
 */
class BlockTrackerModelTest {
    private static final int EVENTS = 60_013;
    private static final int CELL = 16;
    private static final int PAGE_CELLS = SharedLayout.PAGE / CELL;
    private static final int PAGES = 13;
    private static final long BASE = 0x7f00_0000_0000L;

    private final Random random = new Random(19);
    private final BlockTracker tracker = new BlockTracker(this::note);
    private final String[] heap = new String[PAGES * PAGE_CELLS];
    private final String[] mappings = new String[PAGES * PAGE_CELLS];
    private final String[] ended = new String[PAGES * PAGE_CELLS];
    private final String[] answers = new String[PAGES * PAGE_CELLS];
    private final boolean[] told = new boolean[PAGES * PAGE_CELLS];
    private long epoch;
    private int blocks;

    /** A realloc or mremap that has begun: the cells as they were in front of it. */
    private record Begun(RingEventType end, int from, int cells, String[] before) {}

    private final Begun[] begun = new Begun[3];

    private static long address(int cell) {
        return BASE + (long) cell * CELL;
    }

    private AllocationEvent apply(
            RingEventType type, int thread, int cell, int cells, int old, int oldCells) {
        return tracker.apply(TraceEvent.of(
                type,
                thread,
                epoch++,
                cell < 0 ? 0 : address(cell),
                (long) cells * CELL,
                old < 0 ? 0 : address(old),
                (long) oldCells * CELL,
                "",
                0));
    }

    /** A block in the model: its number, its first cell, and whether it lives. */
    private static String name(Block block) {
        return block == null
                ? null
                : block.number() + "@" + (block.address() - BASE) / CELL
                        + (block.live() ? "" : "!");
    }

    private static String dead(String live) {
        return live == null ? null : live + "!";
    }

    @Test
    void shouldAgreeWithTheModel() {
        int[] done = new int[8];
        for (int i = 0; i < EVENTS; i++) {
            int kind = random.nextInt(8);
            switch (kind) {
                case 0, 1 -> allocate();
                case 2 -> free();
                case 3 -> map();
                case 4 -> unmap();
                case 5 -> beginRealloc(random.nextInt(begun.length));
                case 6 -> beginMremap(random.nextInt(begun.length));
                default -> end(random.nextInt(begun.length));
            }
            done[kind]++;
            compare(i);
        }
        assertTrue(Arrays.stream(done).min().getAsInt() > 1_000);
        assertTrue(blocks > 10_000, "blocks: " + blocks);
    }

    /** Notes a range of which the tracker says that it has changed. */
    private void note(long start, long end) {
        for (long at = Math.max(BASE, start & -CELL);
                at < Math.min(end, address(told.length));
                at += CELL) {
            told[(int) (at - BASE) / CELL] = true;
        }
    }

    /** Whatever has another answer than before is in a range that the tracker told of. */
    private void compareChanges(int event) {
        for (int cell = 0; cell < told.length; cell++) {
            String now = name(tracker.find(address(cell)));
            assertTrue(
                    told[cell] || Objects.equals(now, answers[cell]),
                    "event " + event + ", cell " + cell);
            answers[cell] = now;
            told[cell] = false;
        }
    }

    private void compare(int event) {
        for (int probe = 0; probe < 40; probe++) {
            int cell = random.nextInt(heap.length);
            String expected = heap[cell] != null
                    ? heap[cell]
                    : mappings[cell] != null ? mappings[cell] : ended[cell];
            assertEquals(
                    expected,
                    name(tracker.find(address(cell) + random.nextInt(CELL))),
                    "event " + event);
        }
        if (event % 29 == 0) {
            compareChanges(event);
        }
        if (event % 499 == 0) {
            tracker.checkInvariants();
        }
    }

    private int free(int length) {
        return random.nextInt(heap.length - length);
    }

    private void allocate() {
        int cells = 1 + random.nextInt(60);
        int from = free(cells);
        place(apply(RingEventType.MALLOC, 0, from, cells, -1, 0), heap, from, cells);
    }

    /**
     * Puts a new block into the model, as a missed free would have it for heaps and MAP_FIXED for
     * mappings.
     */
    private void place(AllocationEvent line, String[] where, int from, int cells) {
        blocks++;
        String name = blocks + "@" + from;
        assertEquals(name, name(line.block()));
        if (where == heap || line.letter() == 'P') {
            for (int cell = from; cell < from + cells; cell++) {
                drop(heap[cell]);
            }
        }
        Arrays.fill(where, from, from + cells, name);
        Arrays.fill(ended, from, from + cells, null);
    }

    private void drop(String block) {
        for (int cell = 0; block != null && cell < heap.length; cell++) {
            heap[cell] = block.equals(heap[cell]) ? null : heap[cell];
        }
    }

    /** A cell at which mostly, but not always, a block begins. */
    private int target() {
        for (int tries = 0; tries < 50; tries++) {
            int cell = random.nextInt(heap.length);
            if (heap[cell] != null && heap[cell].endsWith("@" + cell) || tries > 45) {
                return cell;
            }
        }
        return 0;
    }

    private String startingAt(String[] where, int cell) {
        String name = where[cell];
        return name != null && name.replace("!", "").endsWith("@" + cell) ? name : null;
    }

    /**
     * Returns what is named when the block at this cell ends: the one that ends, or the one that
     * did.
     */
    private String ending(int cell) {
        String live = startingAt(heap, cell);
        return live == null ? startingAt(ended, cell) : dead(live);
    }

    private void free() {
        int cell = target();
        String expected = ending(cell);
        assertEquals(expected, name(apply(RingEventType.FREE, 0, -1, 0, cell, 0).old()));
        endBlock(startingAt(heap, cell));
    }

    private void endBlock(String block) {
        for (int cell = 0; block != null && cell < heap.length; cell++) {
            if (block.equals(heap[cell])) {
                heap[cell] = null;
                ended[cell] = dead(block);
            }
        }
    }

    private void map() {
        int cells = (1 + random.nextInt(4)) * PAGE_CELLS;
        int from = random.nextInt(PAGES - 4) * PAGE_CELLS;
        place(apply(RingEventType.MMAP, 0, from, cells, -1, 0), mappings, from, cells);
    }

    private void unmap() {
        int cells = (1 + random.nextInt(2)) * PAGE_CELLS;
        int from = random.nextInt(PAGES - 2) * PAGE_CELLS;
        String expected = first(mappings, from, cells) == null
                ? first(heap, from, cells)
                : first(mappings, from, cells);
        assertEquals(
                dead(expected),
                name(apply(RingEventType.MUNMAP, 0, -1, 0, from, cells).old()));
        endCells(mappings, from, cells);
        endCells(heap, from, cells);
    }

    private static String first(String[] where, int from, int cells) {
        return Arrays.stream(where, from, from + cells)
                .filter(name -> name != null)
                .findFirst()
                .orElse(null);
    }

    private void endCells(String[] where, int from, int cells) {
        for (int cell = from; cell < from + cells; cell++) {
            ended[cell] = where[cell] == null ? ended[cell] : dead(where[cell]);
            where[cell] = null;
        }
    }

    private void beginRealloc(int thread) {
        if (begun[thread] != null) {
            return;
        }
        int cell = target();
        String live = startingAt(heap, cell);
        String[] before = {ending(cell), live};
        apply(RingEventType.REALLOC_BEGIN, thread, -1, 0, cell, 0);
        if (random.nextInt(4) == 0) {
            AllocationEvent line = apply(RingEventType.REALLOC_END, thread, -1, 1, cell, 0);
            assertEquals(
                    live == null ? before[0] : live,
                    name(line.old()),
                    "a failed call ends nothing");
            forgetEnded(heap, live, 0, heap.length);
            return;
        }
        endBlock(live);
        begun[thread] = new Begun(RingEventType.REALLOC_END, cell, 0, before);
    }

    private void beginMremap(int thread) {
        if (begun[thread] != null) {
            return;
        }
        int cells = (1 + random.nextInt(2)) * PAGE_CELLS;
        int from = random.nextInt(PAGES - 2) * PAGE_CELLS;
        String[] before = {dead(first(mappings, from, cells)), null};
        apply(RingEventType.MREMAP_BEGIN, thread, -1, 0, from, cells);
        if (random.nextInt(4) == 0) {
            AllocationEvent line = apply(RingEventType.MREMAP_END, thread, -1, 1, from, cells);
            assertEquals(
                    first(mappings, from, cells), name(line.old()), "a failed call ends nothing");
            forgetEnded(mappings, null, from, cells);
            return;
        }
        endCells(mappings, from, cells);
        begun[thread] = new Begun(RingEventType.MREMAP_END, from, cells, before);
    }

    /** Forgets what had ended where a block lives again; null: any block. */
    private void forgetEnded(String[] where, String block, int from, int cells) {
        for (int cell = from; cell < from + cells; cell++) {
            boolean revived =
                    where[cell] != null && (where == mappings || where[cell].equals(block));
            ended[cell] = revived ? null : ended[cell];
        }
    }

    private void end(int thread) {
        Begun call = begun[thread];
        if (call == null) {
            return;
        }
        begun[thread] = null;
        boolean realloc = call.end() == RingEventType.REALLOC_END;
        if (realloc && random.nextInt(5) == 0) {
            assertEquals(
                    call.before()[0],
                    name(apply(call.end(), thread, -1, 0, call.from(), 0).old()),
                    "realloc(p, 0)");
            return;
        }
        int cells = realloc ? 1 + random.nextInt(60) : (1 + random.nextInt(4)) * PAGE_CELLS;
        int from = realloc ? free(cells) : random.nextInt(PAGES - 4) * PAGE_CELLS;
        AllocationEvent line = apply(call.end(), thread, from, cells, call.from(), call.cells());
        assertEquals(call.before()[0], name(line.old()));
        place(line, realloc ? heap : mappings, from, cells);
    }
}
