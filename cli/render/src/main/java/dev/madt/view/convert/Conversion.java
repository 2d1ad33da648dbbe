package dev.madt.view.convert;

import dev.madt.trace.event.BlockKind;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.toolkit.TextBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A view that writes a trace in another tool's format. What it cannot write as it goes it writes
 * when the trace ends.
 */
abstract class Conversion implements Analysis {
    protected final TextBuffer text;
    private final Map<String, String> meta = new LinkedHashMap<>();

    Conversion(TextBuffer text) {
        this.text = text;
    }

    @Override
    public void meta(Map<String, String> values) {
        values.forEach(meta::putIfAbsent);
    }

    /** Returns what the first trace says first under a key of META; empty if nothing. */
    final String meta(String key) {
        return meta.getOrDefault(key, "");
    }

    @Override
    public void accesses(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            access(batch, i);
        }
    }

    protected abstract void access(Accesses batch, int row);

    /** Writes what is left. */
    abstract void write();

    @Override
    public final void end(boolean complete) {
        write();
        text.flush();
    }

    /** Returns whether a bulk transfer reads memory that the trace names (a copy, a fetch). */
    static boolean reads(BlockAccess event) {
        return event.kind() != BlockKind.STORE;
    }

    static boolean writes(BlockAccess event) {
        return event.kind() != BlockKind.FETCH;
    }

    /** The address that a bulk transfer reads from. */
    static long source(BlockAccess event) {
        return event.kind() == BlockKind.COPY ? event.from() : event.to();
    }

    /** A module's name without the brackets of lines. */
    static String bare(String object) {
        boolean module = object.startsWith("[") && object.endsWith("]");
        return oneLine(module ? object.substring(1, object.length() - 1) : object);
    }

    /** A name that cannot break the lines of a format. */
    static String oneLine(String name) {
        return name.replace('\n', ' ').replace('\r', ' ');
    }
}
