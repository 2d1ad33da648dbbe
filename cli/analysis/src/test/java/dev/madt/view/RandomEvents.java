package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.TypeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Made-up events of a process, the same for the same seed: variables that nest and have gaps,
 * blocks that are allocated, moved, freed, freed twice, lost and used afterwards, mappings with
 * blocks inside that are unmapped in parts, modules that go and come.
 */
public final class RandomEvents {
    private static final long CODE = 0x401000;
    private static final long DATA = 0x404000;
    private static final long HEAP = 0x10_0000;
    private static final long HEAP_BYTES = 0x4000;
    private static final long MAPPED = 0x7f00_0000_0000L;
    private static final long MAPPED_BYTES = 0x8000;

    private final Random random;
    private final EventConsumer consumer;
    private final List<Long> blocks = new ArrayList<>();
    private final List<AccessSite> sites = new ArrayList<>();
    private long number;
    private long epoch;

    public RandomEvents(long seed, EventConsumer consumer) {
        this.random = new Random(seed);
        this.consumer = consumer;
    }

    /** Gives the events, about {@code count} of them. */
    public void give(int count) {
        consumer.meta(Map.of("program", "/bin/made-up"));
        types();
        module();
        consumer.define(
                new Definition.Region(RegionKind.HEAP, 3, HEAP, HEAP + HEAP_BYTES, HEAP, "[heap]"));
        for (int i = 0; i < 40; i++) {
            AccessKind kind = AccessKind.of(1 + random.nextInt(3));
            sites.add(new AccessSite(
                    CODE + random.nextInt(0x300), 3, kind, 1 << random.nextInt(4), 0, false));
        }
        for (int i = 0; i < count; i++) {
            step();
        }
        consumer.end(true);
    }

    /** The source line of an address, 0 if it has none: code at odd addresses. */
    public static int lineOf(long code) {
        return code % 2 == 0 ? (int) (code - CODE) / 6 + 1 : 0;
    }

    /**
     * A short, an int, arrays of them, a struct pair with a gap, a table of pairs, and a pair with
     * a flexible array.
     */
    private void types() {
        type(TypeEntry.Form.SCALAR, 2, 0, 0);
        type(TypeEntry.Form.SCALAR, 4, 0, 0);
        type(TypeEntry.Form.ARRAY, 0, 0, 3);
        type(TypeEntry.Form.STRUCT, 16, 0, 0, member("first", 1, 0), member("rest", 2, 4));
        type(TypeEntry.Form.ARRAY, 0, 3, 0x1f);
        type(TypeEntry.Form.ARRAY, 0, 1, 4);
        type(TypeEntry.Form.ARRAY, 0, 5, 4);
        type(TypeEntry.Form.ARRAY, 0, 0, -1);
        type(TypeEntry.Form.STRUCT, 4, 0, 0, member("count", 1, 0), member("open", 7, 4));
        for (long code = CODE; code < CODE + 0x300; code++) {
            if (code % 3 > 0) {
                consumer.define(new Definition.BlockType(code, code % 3 == 1 ? 3 : 8));
            }
        }
    }

    private void type(
            TypeEntry.Form form, long size, int element, long count, TypeEntry.Member... members) {
        consumer.define(new Definition.Type(
                new TypeEntry(form, "made_up", size, element, count, List.of(members))));
    }

    private static TypeEntry.Member member(String name, int type, long offset) {
        return new TypeEntry.Member(name, type, offset, 0, 0, false);
    }

    private void module() {
        consumer.define(
                new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[made-up]"));
        consumer.define(
                new Definition.Region(RegionKind.DATA, 3, DATA, DATA + 0x1000, DATA, "[.data]"));
        for (long code = CODE; code < CODE + 0x300; code++) {
            if (lineOf(code) > 0) {
                SourceLevel inner = new SourceLevel(
                        "inlined", code % 4 == 0 ? "/src/inline.h" : "/src/one.c", lineOf(code), 1);
                SourceLevel outer = new SourceLevel("outer", "/src/one.c", 9, 1);
                consumer.define(new Definition.Source(
                        code, code % 4 == 0 ? List.of(inner, outer) : List.of(inner)));
            }
        }
        consumer.define(new Definition.Symbol(true, CODE, 0x100, "one"));
        consumer.define(new Definition.Symbol(true, CODE + 0x100, 0, "two"));
        consumer.define(new Definition.Symbol(true, CODE + 0x280, 0x20, "three"));
        consumer.define(new Definition.Symbol(false, DATA + 0x10, 0x200, "table"));
        consumer.define(new Definition.Symbol(false, DATA + 0x50, 0x20, "inner"));
        consumer.define(new Definition.Symbol(false, DATA + 0x300, 0x40, "buffer"));
        consumer.define(new Definition.Symbol(false, DATA + 0x400, 0, "unsized"));
        consumer.define(new Definition.VariableType(DATA + 0x10, 4));
        consumer.define(new Definition.VariableType(DATA + 0x300, 6));
    }

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 80) {
            access();
        } else if (choice < 84) {
            block();
        } else if (choice < 90) {
            allocate();
        } else if (choice < 95) {
            free();
        } else if (choice < 99) {
            mapping();
        } else if (random.nextInt(4) == 0) {
            consumer.define(new Definition.SymbolsForgotten(CODE, DATA + 0x1000));
            consumer.define(new Definition.RegionsForgotten(CODE, DATA + 0x1000));
            module();
        }
    }

    private void access() {
        AccessSite site = sites.get(random.nextInt(sites.size()));
        long address = address();
        int thread = 1 + random.nextInt(20) / 19;
        if (site.kind() != AccessKind.STORE) {
            consumer.access(number++, thread, site, false, address);
        }
        if (site.kind() != AccessKind.LOAD) {
            consumer.access(number++, thread, site, true, address);
        }
    }

    private long address() {
        return switch (random.nextInt(3)) {
            case 0 -> DATA + random.nextInt(0x600);
            case 1 -> HEAP + random.nextInt((int) HEAP_BYTES);
            default -> MAPPED + random.nextInt((int) MAPPED_BYTES);
        };
    }

    private void block() {
        BlockKind kind = BlockKind.values()[random.nextInt(3)];
        long from = kind == BlockKind.COPY ? address() : 0;
        consumer.block(number++, 1, kind, address(), from, random.nextInt(300), code());
    }

    private long code() {
        return CODE + random.nextInt(0x300) | (random.nextInt(9) == 0 ? 1L << 63 : 0);
    }

    private void allocate() {
        long address = (random.nextBoolean()
                        ? HEAP + random.nextInt((int) HEAP_BYTES - 600)
                        : MAPPED + random.nextInt((int) MAPPED_BYTES - 600))
                & -16L;
        long size = random.nextInt(500);
        if (random.nextInt(4) == 0 && !blocks.isEmpty()) {
            long old = blocks.remove(random.nextInt(blocks.size()));
            ring(RingEventType.REALLOC_BEGIN, 0, 0, old, 0);
            boolean fails = random.nextInt(5) == 0;
            ring(RingEventType.REALLOC_END, fails ? 0 : address, size + 1, old, 0);
            blocks.add(fails ? old : address);
        } else {
            ring(
                    random.nextBoolean() ? RingEventType.MALLOC : RingEventType.CALLOC,
                    address,
                    size,
                    0,
                    0);
            blocks.add(address);
        }
    }

    private void free() {
        if (!blocks.isEmpty()) {
            int index = random.nextInt(blocks.size());
            ring(RingEventType.FREE, 0, 0, blocks.get(index), 0);
            if (random.nextInt(8) > 0) {
                blocks.remove(index);
            }
        }
    }

    private void mapping() {
        long address = MAPPED + 4096L * random.nextInt((int) (MAPPED_BYTES / 4096));
        long size = 1 + random.nextInt(9_000);
        if (random.nextBoolean()) {
            consumer.define(new Definition.Region(
                    RegionKind.ANONYMOUS, 3, address, address + 4096, address, "[anon]"));
            ring(RingEventType.MMAP, address, size, 0, 0);
        } else if (random.nextBoolean()) {
            ring(RingEventType.MUNMAP, 0, 0, address, size);
        } else {
            ring(RingEventType.MREMAP_BEGIN, 0, 0, address, 4096);
            ring(
                    RingEventType.MREMAP_END,
                    random.nextInt(4) == 0 ? 0 : address + 4096,
                    size,
                    address,
                    4096);
        }
    }

    private void ring(RingEventType type, long address, long size, long old, long oldSize) {
        consumer.ring(TraceEvent.of(type, 1, epoch++, address, size, old, oldSize, "", code()));
    }
}
