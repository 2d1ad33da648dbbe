package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;

/** A process image for tests of lines, and the events that happen in it. */
final class LineScene {
    static final long BIAS = 0x555555554000L;
    static final long MAIN = BIAS + 0x1100;
    static final long GROW = BIAS + 0x1200;
    static final long TABLE = BIAS + 0x4010;
    static final long BSS = BIAS + 0x5000;
    static final long SOURCE = BIAS + 0x2000;
    static final long HEAP = 0x555555560000L;
    static final long LIBC = 0x7ffff7c00000L;
    static final long LIBC_BSS = LIBC + 0x200000;
    static final long STACK = 0x7ffffffde000L;
    static final long TAIL = 1L << 63;

    private static final int THREAD = 7;

    private final EventConsumer consumer;
    private long epoch;

    LineScene(EventConsumer consumer) {
        this.consumer = consumer;
        consumer.define(new Definition.Region(
                RegionKind.CODE, 5, BIAS + 0x1000, BIAS + 0x2000, BIAS, "[prog]"));
        consumer.define(new Definition.Region(
                RegionKind.DATA, 1, SOURCE, BIAS + 0x3000, SOURCE, "[.rodata]"));
        consumer.define(new Definition.Region(
                RegionKind.DATA, 3, BIAS + 0x4000, BSS, BIAS + 0x4000, "[.data]"));
        consumer.define(
                new Definition.Region(RegionKind.DATA, 3, BSS, BIAS + 0x7000, BSS, "[.bss]"));
        consumer.define(
                new Definition.Region(RegionKind.HEAP, 3, HEAP, HEAP + 0x21000, HEAP, "[heap]"));
        consumer.define(new Definition.Region(
                RegionKind.CODE, 5, LIBC, LIBC + 0x100000, LIBC, "[libc.so.6]"));
        consumer.define(new Definition.Region(
                RegionKind.DATA, 3, LIBC_BSS, LIBC_BSS + 0x1000, LIBC_BSS, "[libc.so.6:.bss]"));
        consumer.define(new Definition.Region(
                RegionKind.STACK, 3, STACK, STACK + 0x21000, STACK, "[stack]"));
        consumer.define(new Definition.Symbol(true, MAIN, 200, "main"));
        consumer.define(new Definition.Symbol(true, GROW, 75, "grow"));
        consumer.define(new Definition.Symbol(false, TABLE, 40, "table"));
        consumer.define(new Definition.Symbol(false, BSS + 32, 64, "buf"));
        consumer.define(new Definition.Symbol(false, SOURCE + 16, 64, "src"));
    }

    AccessSite site(long address, AccessKind kind) {
        return new AccessSite(address, 4, kind, 8, 0, false);
    }

    void ring(RingEventType type, long address, long size, long old, long oldSize, long code) {
        consumer.ring(TraceEvent.of(type, THREAD, epoch++, address, size, old, oldSize, "", code));
    }

    void malloc(long address, long size, long code) {
        ring(RingEventType.MALLOC, address, size, 0, 0, code);
    }
}
