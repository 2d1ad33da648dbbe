package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;

/** The payload of a SYMS frame: symbols that come and go with their modules, in their order. */
public final class SymbolsFrame extends PayloadFrame {
    private static final int FORGET = 0;
    private static final int ADD = 1;
    private static final int DATA = 1;
    private static final int CODE = 2;

    public SymbolsFrame() {
        super(FrameType.SYMBOLS);
    }

    /** Forgets every symbol that starts inside [start, end). */
    public SymbolsFrame forget(long start, long end) {
        return entry(FORGET, 0, start, end - start, "");
    }

    /** Adds a symbol; size 0: it reaches to the next one. */
    public SymbolsFrame add(boolean code, long address, long size, String name) {
        return entry(ADD, code ? CODE : DATA, address, size, name);
    }

    /** Adds all entries that another frame has by now. */
    public SymbolsFrame add(SymbolsFrame others) {
        payload.add(others.payload);
        return this;
    }

    private SymbolsFrame entry(int op, int kind, long start, long size, String name) {
        payload.u8(op).u8(kind).u16(0).u64(start).u64(size).string(name);
        return this;
    }

    /**
     * Calls symbolsForget and symbol of the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.SYMBOLS);
        while (!cursor.atEnd()) {
            int op = cursor.u8();
            int kind = cursor.u8();
            cursor.u16();
            long start = cursor.u64();
            long size = cursor.u64();
            String name = cursor.string();
            if (Long.compareUnsigned(start + size, start) < 0) {
                throw cursor.malformed(String.format("0x%x bytes at address 0x%x", size, start));
            }
            if (op == FORGET) {
                consumer.define(new Definition.SymbolsForgotten(start, start + size));
            } else if (op == ADD && (kind == DATA || kind == CODE)) {
                consumer.define(new Definition.Symbol(kind == CODE, start, size, name));
            } else {
                throw cursor.malformed("entry with op " + op + ", kind " + kind);
            }
        }
    }
}
