package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Notes every call that it gets, as a line. */
public class RecordingConsumer implements EventConsumer {
    private final List<String> calls = new ArrayList<>();
    private final List<Boolean> ends = new ArrayList<>();

    public List<String> calls() {
        return calls;
    }

    public List<Boolean> ends() {
        return ends;
    }

    @Override
    public void meta(Map<String, String> values) {
        calls.add("meta " + values);
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            mapsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Region it) {
            mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
        } else if (definition instanceof Definition.SymbolsForgotten it) {
            symbolsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Symbol it) {
            symbol(it.code(), it.address(), it.size(), it.name());
        }
    }

    private void mapsForget(long start, long end) {
        calls.add("forget " + hex(start) + " " + hex(end));
    }

    private void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        calls.add("map " + kind.ordinal() + " " + protection + " " + hex(start) + " " + hex(end)
                + " " + hex(origin) + " " + label);
    }

    private void symbolsForget(long start, long end) {
        calls.add("forget symbols " + hex(start) + " " + hex(end));
    }

    private void symbol(boolean code, long address, long size, String name) {
        calls.add("symbol " + code + " " + hex(address) + " " + size + " " + name);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        calls.add(number + " " + thread + (store ? " S " : " L ") + hex(site.address()) + " "
                + hex(address));
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        calls.add(number + " " + thread + " " + site.kind() + " " + hex(site.address()) + " "
                + hex(stack) + " " + time);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        calls.add(number + " " + thread + " " + kind.letter() + " " + hex(code) + " " + hex(to)
                + " " + hex(from) + " " + length);
    }

    @Override
    public void ring(TraceEvent e) {
        calls.add("ring " + e.type() + " " + e.thread() + " " + e.epoch() + " " + hex(e.word(0))
                + " " + e.word(1) + " " + hex(e.word(2)) + " " + e.word(3) + " " + hex(e.code()));
    }

    @Override
    public void end(boolean complete) {
        ends.add(complete);
    }

    private static String hex(long value) {
        return Long.toHexString(value);
    }
}
