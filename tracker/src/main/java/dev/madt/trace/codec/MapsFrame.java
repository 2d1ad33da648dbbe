package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import java.util.SortedSet;
import java.util.TreeSet;

/** The payload of a MAPS frame: changes of the address space, in their order. */
public final class MapsFrame extends PayloadFrame {
    private static final int FORGET = 0;
    private static final int ADD = 1;
    private static final int ALL_RIGHTS = 7;

    private final TreeSet<String> modules = new TreeSet<>();

    public MapsFrame() {
        super(FrameType.MAPS);
    }

    /** Forgets every entry that overlaps [start, end). */
    public MapsFrame forget(long start, long end) {
        return entry(FORGET, 0, RegionKind.OTHER, start, end, 0, "");
    }

    /**
     * Adds a range.
     *
     * @param protection 1 read, 2 write, 4 execute
     * @param origin address from which offsets in the range count
     * @param label any text; in the frame it is a {@link PrintableText}
     */
    public MapsFrame add(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        String text = PrintableText.field(label);
        if (kind == RegionKind.CODE) {
            modules.add(text);
        }
        return entry(ADD, protection, kind, start, end, origin, text);
    }

    /**
     * The labels of all code of modules that this has had, those that have been built and forgotten
     * too.
     */
    public SortedSet<String> modules() {
        return modules;
    }

    private MapsFrame entry(
            int op,
            int protection,
            RegionKind kind,
            long start,
            long end,
            long origin,
            String label) {
        payload.u8(op)
                .u8(protection)
                .u8(kind.ordinal())
                .u8(0)
                .u64(start)
                .u64(end)
                .u64(origin)
                .string(label);
        return this;
    }

    /**
     * Calls mapsForget and mapsAdd of the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.MAPS);
        while (!cursor.atEnd()) {
            int op = cursor.u8();
            int protection = cursor.u8();
            int number = cursor.u8();
            RegionKind kind = RegionKind.of(number);
            cursor.u8();
            long start = cursor.u64();
            long end = cursor.u64();
            long origin = cursor.u64();
            String label = cursor.string();
            if (op > ADD || protection > ALL_RIGHTS || kind == null) {
                throw cursor.malformed(
                        "entry with op " + op + ", protection " + protection + ", kind " + number);
            }
            int order = Long.compareUnsigned(start, end);
            if (op == FORGET ? order > 0 : order >= 0) {
                throw cursor.malformed(String.format("range from 0x%x to 0x%x", start, end));
            }
            if (op == FORGET) {
                consumer.define(new Definition.RegionsForgotten(start, end));
            } else {
                consumer.define(new Definition.Region(kind, protection, start, end, origin, label));
            }
        }
    }
}
