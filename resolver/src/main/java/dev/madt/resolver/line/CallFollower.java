package dev.madt.resolver.line;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.CallStacks;
import dev.madt.tracker.ForgedName;
import dev.madt.tracker.TraceClock;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * Follows which functions are open in each thread of a trace. Those who extend it are told of each
 * function that is entered, and of its end.
 */
public abstract class CallFollower implements EventConsumer {
    /** Behind the name of a function that has gone on in another one by a jump. */
    public static final String JUMPED = "~";

    private static final double NANOS = 1e9;
    /** Holds what META says in a dump of how the process ended. */
    private static final String RUNNING = "running";

    private final AddressSpace space;
    private final DataIndex index;
    private final StackMemory memory;
    private final CallStacks stacks;
    private final RecordingWindows windows;
    private final CallValues values;
    private final LineBuffer valueText = LineBuffer.detached();
    private String said = "";
    /** The caller of the function that ended last. */
    private CallStacks.Frame below;

    /** By thread: the system call in which the trace ends. */
    private final IntObjectHashMap<String> endedIn = new IntObjectHashMap<>();

    private boolean closing;
    /** Holds what META says of how the process ended. */
    private String ended = "";

    private TraceClock clock;
    private long endedAt;

    /** Nobody is called back before an event comes. */
    @SuppressWarnings("this-escape") // of newer compilers
    protected CallFollower(Demangler names) {
        this.space = new AddressSpace(names);
        this.index = new DataIndex(space);
        this.memory = new StackMemory(space, index);
        this.windows = new RecordingWindows(space);
        this.values = new CallValues(valueText, space, index, DataNames.unnoted(space, index));
        this.stacks = new CallStacks(memory, endings(), new CallStacks.Absence() {
            @Override
            public void offCpu(
                    int thread,
                    CallStacks.Frame innermost,
                    long length,
                    TraceEvent.OffCpu event,
                    TraceEvent.SystemCall call) {
                CallFollower.this.offCpu(
                        thread,
                        innermost,
                        length,
                        event,
                        call == null ? "" : SystemCallEvent.name(call));
            }

            @Override
            public void called(
                    int thread,
                    CallStacks.Frame innermost,
                    long length,
                    TraceEvent.SystemCall call) {
                CallFollower.this.called(thread, innermost, length, call);
            }
        });
    }

    private CallStacks.Ending endings() {
        return new CallStacks.Ending() {
            @Override
            public void ended(int thread, CallStacks.Frame frame, boolean seen) {
                frameEnded(thread, frame, seen);
            }

            @Override
            public void jumped(int thread, CallStacks.Frame frame) {
                CallFollower.this.jumped(thread, frame);
            }
        };
    }

    /** The clock of the trace; null if it has no times. */
    protected final TraceClock clock() {
        return clock;
    }

    /**
     * Returns when the recorder saw that the process had ended, or wrote a dump, in nanoseconds
     * since the recording began; 0 if the trace does not say it.
     */
    protected final long endedAt() {
        return clock == null ? 0 : endedAt;
    }

    @Override
    public void meta(Map<String, String> values) {
        windows.meta(values);
        TraceClock told = TraceClock.of(values);
        clock = told == null ? clock : told;
        ended = values.getOrDefault("ended", "");
        String at = values.getOrDefault("ended_at", "");
        endedAt = at.matches("\\d{1,18}") ? Long.parseLong(at) : endedAt;
    }

    /** The functions that are open. */
    protected final CallStacks stacks() {
        return stacks;
    }

    /** The name of the function at an address, or else where that lies. */
    protected final String functionName(long address) {
        return new String(space.codeName(address), StandardCharsets.UTF_8);
    }

    /** Returns what lies at an address of data. */
    protected final NamedRange dataAt(long address) {
        return index.at(address);
    }

    /**
     * The name of data: of the variable, of all blocks of one call ({@code <malloc@f+45>}), or else
     * the region.
     */
    protected final String dataName(NamedRange data) {
        if (data.block() != null) {
            String call = space.code(data.block().code());
            return ForgedName.common(data.block().kind(), call);
        }
        if (data.symbol() != null) {
            return data.symbol().text();
        }
        return data.region() == null ? "[?]" : data.region().label();
    }

    /** The module of an address, as lines have it. */
    protected final String moduleName(long address) {
        return space.label(address);
    }

    /** Returns whether {@link #said} is asked for. */
    protected boolean wantsValues() {
        return false;
    }

    /**
     * Returns what the call at hand was given, in parentheses, or what it returns, behind an equals
     * sign; empty if that was not recorded.
     */
    protected final String said() {
        return said;
    }

    /** Names may have changed. */
    protected void renamed() {}

    /** A function has been entered. */
    protected void entered(int thread, CallStacks.Frame frame) {}

    /** Returns whether the functions that were open in a thread are followed. */
    protected boolean follows(int thread) {
        return true;
    }

    /** A function was open when the recording of its thread began; it is no call of the trace. */
    protected void opened(int thread, CallStacks.Frame frame) {}

    /** A function has gone on in another one by a jump: its frame stays, below that one's. */
    protected void jumped(int thread, CallStacks.Frame frame) {}

    /** The name of the function of a frame; behind that of one that has jumped stands a tilde. */
    protected final String frameName(CallStacks.Frame frame) {
        return functionName(frame.entry()) + (frame.jumped() ? JUMPED : "");
    }

    /** A function has ended; {@code seen}: it was left by a return in the trace. */
    protected void ended(int thread, CallStacks.Frame frame, boolean seen) {}

    /**
     * The trace ends while the process is in this function: it and its callers are open, on a stack
     * of the thread. Not so where the process ended by itself, which nobody wonders about.
     */
    protected void neverLeft(int thread, CallStacks.Frame innermost) {}

    private void frameEnded(int thread, CallStacks.Frame frame, boolean seen) {
        if (closing && lastMoment() != null && isRecordingAtEnd() && frame != below) {
            neverLeft(thread, frame);
        }
        below = frame.caller();
        ended(thread, frame, seen);
    }

    /** Returns what a thread was in, for people: its functions, the outermost first. */
    protected final String openCalls(int thread, CallStacks.Frame innermost) {
        StringBuilder chain = new StringBuilder(frameName(innermost));
        for (CallStacks.Frame frame = innermost.caller(); frame != null; frame = frame.caller()) {
            chain.insert(0, frameName(frame) + ";");
        }
        String in = endedIn.get(thread);
        return "thread " + Integer.toUnsignedString(thread) + " was in " + chain
                + (in == null ? "" : " (system call " + in + ')') + since(innermost);
    }

    private String since(CallStacks.Frame frame) {
        if (clock == null || frame.entered() == 0 || frame.wasOpen()) {
            return "";
        }
        double entered = clock.time(frame.entered()) / NANOS;
        double before = endedAt / NANOS - entered;
        return String.format(Locale.ROOT, ", entered at %.6f s", entered)
                + (before > 0 ? String.format(Locale.ROOT, ", about %.3f s before", before) : "");
    }

    /** Returns when the trace ended in the middle of calls, for people; null if it did not. */
    public final String lastMoment() {
        return lastMoment(ended);
    }

    /** Returns whether the process went on behind the trace: absences that lasted are not known. */
    protected final boolean isRunning() {
        return ended.equals(RUNNING);
    }

    /** As above, of a trace that says this of how its process ended. */
    public static String lastMoment(String ended) {
        return ended.startsWith("signal ")
                ? "when it was killed"
                : ended.equals(RUNNING) ? "when this was written" : null;
    }

    /** Returns whether it was recorded from main, or from its load, to its end. */
    protected final boolean hasWholeRecord() {
        return windows.isWhole();
    }

    /**
     * Returns whether no window had closed when the trace ended, so that it tells of the last
     * moment.
     */
    protected final boolean isRecordingAtEnd() {
        return !windows.isClosed();
    }

    /** A window of the recording opens or closes. */
    protected void window(RecordingWindows.Turn turn) {}

    /**
     * A thread had no processor, as {@link CallStacks.Absence} has it.
     *
     * @param in the system call that it was in; empty if none is known
     */
    protected void offCpu(
            int thread,
            CallStacks.Frame innermost,
            long length,
            TraceEvent.OffCpu event,
            String in) {}

    /** A thread was in a system call for long, as {@link CallStacks.Absence} has it. */
    protected void called(
            int thread, CallStacks.Frame innermost, long length, TraceEvent.SystemCall call) {}

    /**
     * Returns whether {@link #accessed} is to be told of accesses or of a bulk transfer; asked once
     * for a record, with the number of its first access.
     */
    protected boolean counts(long number, int thread) {
        return false;
    }

    /** A thread has made accesses, or a bulk transfer, which counts as bytes alone. */
    protected void accessed(int thread, long count, long bytes) {}

    @Override
    public void define(Definition definition) {
        space.define(definition);
        memory.changed();
        if (definition instanceof Definition.Arguments arguments) {
            values.define(arguments);
        }
        if (definition instanceof Definition.RegionsForgotten
                || definition instanceof Definition.SymbolsForgotten) {
            renamed();
        }
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        if (!counts(number, thread)) {
            return;
        }
        long count = 0;
        long bytes = 0;
        for (int i = 0; i < template.length(); i++) {
            if (addresses[from + i] != SharedLayout.WORD_NONE) {
                AccessSite site = template.site(i);
                int times = site.kind().accesses();
                count += times;
                bytes += (long) times * site.size();
            }
        }
        accessed(thread, count, bytes);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        if (counts(number, thread)) {
            accessed(thread, 1, site.size());
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        if (counts(number, thread)) {
            accessed(thread, 0, kind == BlockKind.COPY ? 2 * length : length);
        }
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        if (wantsValues()) {
            values.symbolic(template, words, at);
            said = valueText.toString();
            valueText.flush();
        }
        EventConsumer.super.call(number, thread, template, words, at);
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        if (site.kind() == AccessKind.ENTER) {
            entered(thread, stacks.enter(thread, site, stack, time));
        } else {
            stacks.leave(thread, stack, time);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.Span span) {
            absent(span);
            return;
        }
        if (event instanceof TraceEvent.Recording turned) {
            stacks.window(turned);
        }
        RecordingWindows.Turn turn = windows.turn(event);
        if (turn != null) {
            window(turn);
        }
        index.apply(event);
        memory.changed();
        if (event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END) {
            stacks.forget(event.thread());
        }
        if (event instanceof TraceEvent.OpenFunction open && follows(open.thread())) {
            CallStacks.Frame frame = stacks.open(open);
            if (frame.note() == null) {
                opened(open.thread(), frame);
            }
        }
    }

    private void absent(TraceEvent.Span span) {
        if (span instanceof TraceEvent.Pause) {
            stacks.pause(span.thread(), span.begin(), span.length());
        } else if (span instanceof TraceEvent.OffCpu offCpu) {
            stacks.offCpu(offCpu);
        } else if (span instanceof TraceEvent.SystemCall call) {
            if (SystemCallEvent.isOpen(call)) {
                endedIn.put(call.thread(), SystemCallEvent.name(call));
            }
            stacks.called(call);
        }
    }

    @Override
    public void end(boolean complete) {
        closing = true;
        below = null; // else the function that the last one returned to would not be told
        stacks.end();
    }
}
