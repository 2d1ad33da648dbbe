package dev.madt.testprogs;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * The accesses by the program's own code in a MadT trace, in the form in which Lackey's are
 * compared: filtered by the same rule of address ranges. The load bias is where the program's
 * executable segment lies, less where the file wants it.
 */
public final class OwnAccesses implements EventConsumer {

    private final ProgramFile program;
    private final String label;
    private final boolean withStack;
    private final AddressRanges excluded = new AddressRanges();
    private final List<Access> accesses = new ArrayList<>();
    private long bias = -1;

    public OwnAccesses(ProgramFile program) {
        this(program, false);
    }

    /** {@code withStack}: the accesses to the stack too. */
    public OwnAccesses(ProgramFile program, boolean withStack) {
        this.withStack = withStack;
        this.program = program;
        this.label = "[" + program.path().getFileName() + "]";
    }

    public List<Access> accesses() {
        return accesses;
    }

    /** Run-time address less address in the file; -1 if the trace shows no code of the program. */
    public long bias() {
        return bias;
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            mapsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Region it) {
            mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
        }
    }

    private void mapsForget(long start, long end) {
        excluded.remove(start, end);
    }

    private void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String name) {
        if (kind == RegionKind.CODE && name.equals(label) && bias < 0) {
            bias = (start & -4096L) - program.codePage();
        }
        if (kind == RegionKind.CODE
                || kind == RegionKind.STACK && !withStack
                || kind == RegionKind.UNTRACED) {
            excluded.add(start, end);
        }
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        long instruction = site.address() - bias;
        if (bias < 0 || !program.isCode(instruction) || excluded.contains(address)) {
            return;
        }
        long data = program.isData(address - bias) ? address - bias : Access.ELSEWHERE;
        accesses.add(new Access(instruction, store, site.size(), data));
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void ring(TraceEvent event) {}
}
