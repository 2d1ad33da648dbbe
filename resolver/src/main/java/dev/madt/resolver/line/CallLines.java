package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;
import dev.madt.tracker.TraceClock;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Writes the lines of functions that are entered and left, and finds out which belong together. */
final class CallLines {
    private static final byte[] UNKNOWN = "?".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TIME = ",t=".getBytes(StandardCharsets.UTF_8);

    private static final int MOST = 1 << 17;

    private final LineBuffer line;
    private final LineOptions options;
    private final AddressSpace space;
    private final StackMemory memory;
    private final SourcePlaces places;
    private final CallStacks stacks;
    private final LongObjectHashMap<byte[]> names = new LongObjectHashMap<>();
    private final CallValues values;
    private final boolean tree;
    /** Null if the trace has no times. */
    private TraceClock clock;

    CallLines(
            LineBuffer line,
            LineOptions options,
            AddressSpace space,
            DataIndex index,
            DataNames data,
            SourcePlaces places,
            boolean tree) {
        this.line = line;
        this.options = options;
        this.space = space;
        this.memory = new StackMemory(space, index);
        this.stacks = new CallStacks(memory);
        this.values = new CallValues(line, space, index, data);
        this.places = places;
        this.tree = tree;
    }

    /** Takes what the trace says of its clock; null if it says nothing. */
    void clock(TraceClock told) {
        clock = told == null ? clock : told;
    }

    /** Takes what the words of a template are. */
    void define(Definition.Arguments arguments) {
        values.define(arguments);
    }

    /** Forgets the names: code has changed. */
    void clear() {
        names.clear();
        spaceChanged();
    }

    /** Forgets where stacks are. */
    void spaceChanged() {
        memory.changed();
    }

    /** A thread begins or ends. */
    void thread(int number) {
        stacks.forget(number);
    }

    /** A function was open when the recording of its thread began. */
    void open(TraceEvent.OpenFunction event) {
        stacks.open(event);
    }

    /** A window of the recording opens or closes. */
    void window(TraceEvent.Recording event) {
        stacks.window(event);
    }

    /** A thread has waited for MadT. */
    void pause(TraceEvent.Pause event) {
        stacks.pause(event.thread(), event.begin(), event.length());
    }

    /** Follows a call, and writes its lines if it is shown. */
    void call(
            long number, int thread, RecordTemplate template, long[] words, int at, boolean shown) {
        AccessSite site = template.site(0);
        long stack = words[at];
        long time = template.isTimed() ? words[at + 1] : 0;
        boolean enters = site.kind() == AccessKind.ENTER;
        CallStacks.Frame frame = enters
                ? stacks.enter(thread, site, stack, time)
                : stacks.leave(thread, stack, time);
        if (shown && options.symbolic()) {
            indent(frame);
            head(enters, '$', number);
            line.text(name(frame == null ? site.address() : frame.entry()));
            if (enters) {
                values.symbolic(template, words, at);
                line.character(',');
                caller(frame.caller());
                time(time);
            } else if (frame == null || frame.wasOpen()) {
                line.text(UNKNOWN);
                values.symbolic(template, words, at);
            } else {
                values.symbolic(template, words, at);
                times(frame);
            }
            endLine(site);
        }
        if (shown && options.raw()) {
            indent(frame);
            head(enters, '#', number);
            line.hexadecimal(site.address());
            line.character(',');
            line.hexadecimal(stack);
            if (time != 0) {
                line.character(',');
                line.decimal(time);
            }
            values.raw(template, words, at);
            endLine(site);
        }
    }

    private void caller(CallStacks.Frame caller) {
        line.text(caller == null ? UNKNOWN : name(caller.entry()));
        if (caller != null && caller.jumped()) {
            line.character('~');
        }
    }

    private void time(long time) {
        if (clock != null && time != 0) {
            line.text(TIME);
            line.decimal(clock.time(time));
        }
    }

    private void times(CallStacks.Frame frame) {
        if (clock != null && frame.entered() != 0) {
            line.character(',');
            line.decimal(clock.span(frame.elapsed()));
            line.character(',');
            line.decimal(clock.span(frame.self()));
        }
    }

    private void indent(CallStacks.Frame frame) {
        for (int i = tree && frame != null ? frame.depth() : 0; i > 0; i--) {
            line.pair(' ', ' ');
        }
    }

    private void head(boolean enters, char form, long number) {
        line.pair(enters ? 'B' : 'X', form);
        line.decimal(number);
        line.character(':');
    }

    private void endLine(AccessSite site) {
        places.append(line, site.address());
        line.endLine();
    }

    /**
     * The function's name, of an address at its beginning or, where its enter is not known, within
     * it.
     */
    private byte[] name(long address) {
        byte[] name = names.get(address);
        if (name == null) {
            if (names.size() == MOST) {
                names.clear();
            }
            name = space.codeName(address);
            names.put(address, name);
        }
        return name;
    }
}
