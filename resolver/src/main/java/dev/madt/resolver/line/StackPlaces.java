package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import java.nio.charset.StandardCharsets;

/** Appends the names of variables on stacks that are accessed through pointers. */
final class StackPlaces {
    private final OpenFrames frames;
    private final MemberTypes types;
    private final long[] begin = new long[1];
    private int thread;

    /** @param types null to print offsets in variables */
    StackPlaces(OpenFrames frames, MemberTypes types) {
        this.frames = frames;
        this.types = types;
    }

    /** Follows a record, whose accesses come next. */
    void record(int byThread, RecordTemplate template, long[] words, int from) {
        thread = byThread;
        frames.record(byThread, template, words, from);
    }

    /** Follows an access, which comes next. */
    void access(int byThread, AccessSite site, long address) {
        thread = byThread;
        frames.access(byThread, site, address);
    }

    /** Follows a bulk transfer, which comes next. */
    void transfer(int byThread) {
        frames.transfer(byThread);
    }

    /** Appends the variable at an address, by a site that is followed; false if none is known. */
    boolean append(LineBuffer line, NamedRange named, AccessSite site, long address) {
        return mayBeStack(named)
                && append(line, frames.name(thread, site, address, begin), address, site.size());
    }

    /** The same for a bulk transfer, by its code word. */
    boolean append(
            LineBuffer line, NamedRange named, int byThread, long code, long address, long size) {
        return mayBeStack(named)
                && append(
                        line,
                        frames.name(byThread, CodeWord.inside(code), address, begin),
                        address,
                        size);
    }

    /** Returns whether the memory there may be a stack: neither a variable nor a block. */
    private boolean mayBeStack(NamedRange named) {
        return !frames.isEmpty()
                && named.region() != null
                && named.symbol() == null
                && named.block() == null;
    }

    private boolean append(LineBuffer line, FrameName name, long address, long size) {
        if (name == null) {
            return false;
        }
        long offset = address - begin[0] - name.offset();
        line.text(name.place(offset, size, types).getBytes(StandardCharsets.UTF_8));
        return true;
    }
}
