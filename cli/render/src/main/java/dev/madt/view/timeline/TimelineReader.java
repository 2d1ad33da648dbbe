package dev.madt.view.timeline;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.CallFollower;
import dev.madt.resolver.line.NamedRange;
import dev.madt.resolver.line.RecordingWindows;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.OffCpuEvent;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.CallStacks;
import dev.madt.tracker.ThreadNames;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Tells a sink of the selected calls of one trace, and counts what they cost. Memory grows with the
 * calls that are open, and with the names of data that each function touches.
 */
public final class TimelineReader extends CallFollower {
    private static final String SIGNAL = "signal ";
    /** Says when it opened and closed, and why. */
    private static final int WINDOW_PARTS = 4;

    private final TimelineSelection selection;
    private final Functions functions;
    private final Lanes lanes;
    private final CallSink sink;
    private final LongObjectHashMap<CalledFunction> byEntry = new LongObjectHashMap<>();
    private final IntObjectHashMap<ThreadLanes> threads = new IntObjectHashMap<>();
    private final Deque<Call> beginning = new ArrayDeque<>();
    private TracedProcess process;
    private long window;
    private long number;
    /** Behind the number of the event at hand. */
    private long next;
    /** Says where the event at hand lies. */
    private long position;

    private CallStacks.Frame innermost;
    /** About when a trace was broken off: what was open then lasts until there. Else 0. */
    private long brokenAt;

    private final AwaitedAbsences awaited = new AwaitedAbsences();
    /** Says that what is open is open to the end. */
    private boolean closing;

    TimelineReader(
            TimelineSelection selection,
            Functions functions,
            Lanes lanes,
            CallSink sink,
            Demangler names) {
        super(names);
        this.selection = selection;
        this.functions = functions;
        this.lanes = lanes;
        this.sink = sink;
    }

    @Override
    public void meta(Map<String, String> values) {
        if (process == null) {
            String pid = values.getOrDefault("pid", "");
            process = lanes.process(
                    pid.matches("\\d{1,10}") ? Long.parseLong(pid) : 0,
                    values.getOrDefault("program", "?"));
        }
        super.meta(values);
        process.names().take(values.getOrDefault(ThreadNames.KEY, ""));
        selection.thread().meta(values);
        if (clock() != null) {
            functions.profile().timed();
        }
        String began = values.getOrDefault("began_at", "");
        if (clock() != null && began.matches("\\d{1,18}")) {
            lanes.began(process, Long.parseLong(began), Lanes.PROCESS);
        }
        String ended = values.getOrDefault("ended", "");
        if (ended.startsWith(SIGNAL)) {
            lanes.brokenOff(process, " was killed by " + ended.substring(SIGNAL.length()));
        } else if (lastMoment() != null) {
            lanes.brokenOff(process, " was running when this was written");
        }
        values.getOrDefault("windows", "").lines().forEach(this::windowEnd);
        awaited.known("recorded".equals(values.get("switches")));
        if (values.containsKey("calls")) {
            functions.profile().hasCalls();
        }
    }

    /** The process whose trace this is; null: it has not begun. */
    TracedProcess process() {
        return process;
    }

    @Override
    protected void renamed() {
        byEntry.clear();
    }

    @Override
    public void call(long at, int thread, AccessSite site, long stack, long time) {
        if (!selection.isThread(thread)) {
            return;
        }
        number = at;
        next = at + 1;
        position = clock() == null ? at : clock().time(time);
        ThreadLanes own = lanes(thread);
        if (isSelected()) {
            sink.at(position);
        }
        super.call(at, thread, site, stack, time);
        own.last(position);
    }

    private ThreadLanes lanes(int thread) {
        ThreadLanes own = threads.get(thread);
        if (own == null) {
            own = new ThreadLanes(lanes, process, thread);
            threads.put(thread, own);
        }
        return own;
    }

    private boolean isSelected() {
        return !isBefore() && !isBehind();
    }

    private boolean isBefore() {
        return selection.isBefore(number, nanos()) || window < selection.window();
    }

    private boolean isBehind() {
        return selection.isBehind(number, nanos())
                || selection.window() >= 0 && window > selection.window();
    }

    /** Without times every time is selected. */
    private long nanos() {
        return clock() == null ? Math.max(0, selection.after()) : position;
    }

    @Override
    protected boolean wantsValues() {
        return true;
    }

    @Override
    protected boolean follows(int thread) {
        return selection.isThread(thread);
    }

    @Override
    protected void opened(int thread, CallStacks.Frame frame) {
        begun(thread, frame, "");
    }

    @Override
    protected void entered(int thread, CallStacks.Frame frame) {
        begun(thread, frame, said());
    }

    private void begun(int thread, CallStacks.Frame frame, String given) {
        Call caller = frame.caller() == null ? null : (Call) frame.caller().note();
        Lane lane = caller == null ? lanes(thread).open() : caller.lane();
        CalledFunction function = function(frame.entry());
        boolean wanted = !isBehind() && selection.isFunction(function.name());
        Call call = new Call(lane, function, caller, position, number, wanted);
        frame.note(call);
        call.given(given);
        if (wanted) {
            function.cost().enter(thread);
            if (!isBefore()) {
                begin(call);
            }
        }
    }

    private CalledFunction function(long entry) {
        CalledFunction function = byEntry.get(entry);
        if (function == null) {
            function = functions.of(functionName(entry), moduleName(entry));
            byEntry.put(entry, function);
        }
        return function;
    }

    /** Tells of a call, and of its callers first. */
    private void begin(Call call) {
        for (Call next = call; next != null && !next.isBegun(); next = next.caller()) {
            beginning.push(next);
        }
        while (!beginning.isEmpty()) {
            Call next = beginning.pop();
            next.begin();
            if (next.isWanted()) {
                sink.begin(next);
            }
        }
    }

    @Override
    protected void ended(int thread, CallStacks.Frame frame, boolean seen) {
        Call call = (Call) frame.note();
        if (seen) {
            call.returned(said());
        }
        long last = lastOf(thread, frame);
        long end = closing ? Math.max(brokenAt, last) : endOf(frame);
        long length = clock() == null ? end - call.start() : clock().span(frame.elapsed());
        long self = clock() == null ? 0 : clock().span(frame.self());
        long further = closing ? end - last : 0;
        call.ended(
                end,
                number,
                length + further,
                self + (frame == innermost ? further : 0),
                ending(frame, seen));
        if (call.caller() == null) {
            lanes(thread).close(call.lane());
        }
        if (!call.isWanted()) {
            return;
        }
        if (!closing && isBefore()) {
            call.function().cost().pass(thread);
            return;
        }
        if (frame.wasOpen()) {
            call.function().cost().leaveOpen(thread, clock() == null ? 0 : length, self);
        } else {
            call.function().cost().leave(thread, clock() == null ? 0 : length, self);
        }
        call.function().took(call.length(), call.start());
        begin(call);
        sink.end(call);
    }

    /** Returns where a call ends that is over: at the latest where its window closes. */
    private long endOf(CallStacks.Frame frame) {
        return frame.isCut() && clock() != null ? clock().time(frame.until()) : position;
    }

    private Call.Ending ending(CallStacks.Frame frame, boolean seen) {
        if (seen) {
            return Call.Ending.RETURNED;
        }
        return closing
                ? Call.Ending.OPEN
                : frame.jumped() ? Call.Ending.JUMPED : Call.Ending.UNSEEN;
    }

    /** Until when an open call is counted. */
    private long lastOf(int thread, CallStacks.Frame frame) {
        ThreadLanes own = lanes(thread);
        if (closing && clock() != null) {
            own.last(Math.max(own.last(), clock().time(frame.until())));
        }
        if (own.last() > position && isSelected()) {
            sink.at(own.last());
        }
        return own.last();
    }

    @Override
    protected void neverLeft(int thread, CallStacks.Frame frame) {
        innermost = frame;
        if (brokenAt > position && isSelected()) {
            sink.at(brokenAt);
        }
    }

    @Override
    protected boolean counts(long at, int thread) {
        number = at;
        next = at + 1;
        return selection.isThread(thread) && isSelected();
    }

    @Override
    protected void accessed(int thread, long count, long bytes) {
        functions.profile().hasAccesses();
        CallStacks.Frame frame = stacks().innermost(thread);
        if (frame != null) {
            Call call = (Call) frame.note();
            call.access(count, bytes);
            call.function().cost().access(count, bytes);
        }
    }

    @Override
    public void record(long at, int thread, RecordTemplate template, long[] addresses, int from) {
        super.record(at, thread, template, addresses, from);
        CalledFunction function = innermost(at, thread);
        for (int i = 0; function != null && i < template.length(); i++) {
            long address = addresses[from + i];
            AccessSite site = template.site(i);
            if (address != SharedLayout.WORD_NONE && site.kind().loads()) {
                data(function, address).load(site.size());
            }
            if (address != SharedLayout.WORD_NONE && site.kind().stores()) {
                data(function, address).store(site.size());
            }
        }
    }

    @Override
    public void access(long at, int thread, AccessSite site, boolean store, long address) {
        super.access(at, thread, site, store, address);
        CalledFunction function = innermost(at, thread);
        if (function != null && store) {
            data(function, address).store(site.size());
        } else if (function != null) {
            data(function, address).load(site.size());
        }
    }

    @Override
    public void block(
            long at, int thread, BlockKind kind, long to, long from, long length, long code) {
        super.block(at, thread, kind, to, from, length, code);
        CalledFunction function = innermost(at, thread);
        if (function != null && kind != BlockKind.FETCH) {
            data(function, to).store(length);
        }
        if (function != null && kind != BlockKind.STORE) {
            data(function, kind == BlockKind.COPY ? from : to).load(length);
        }
    }

    /** The function that a selected access belongs to; null if there is none. */
    private CalledFunction innermost(long at, int thread) {
        CallStacks.Frame frame = counts(at, thread) ? stacks().innermost(thread) : null;
        return frame == null ? null : ((Call) frame.note()).function();
    }

    private DataBytes data(CalledFunction function, long address) {
        NamedRange data = dataAt(address);
        String name = (String) data.note();
        if (name == null) {
            name = dataName(data);
            data.note(name);
        }
        return function.data(name);
    }

    /** Returns whether a time in which a thread did not run the program is selected. */
    private boolean isSelected(TraceEvent.Span event) {
        if (clock() == null || !selection.isThread(event.thread())) {
            return false;
        }
        long from = clock().time(event.begin());
        return !selection.isBefore(number, from + clock().span(event.length()))
                && !selection.isBehind(number, from)
                && !isOutsideWindow();
    }

    private void offCpu(TraceEvent.Span event, String why) {
        long from = clock().time(event.begin());
        long to = from + clock().span(event.length());
        lanes.offCpu(new OffCpu(lanes(event.thread()).first(), from, to, why));
    }

    @Override
    protected void offCpu(
            int thread, CallStacks.Frame frame, long length, TraceEvent.OffCpu event, String in) {
        String by = OffCpuEvent.preemptedBy(event);
        if (awaited.remove(event)) {
            String waits = in.isEmpty() ? OffCpu.WAITS : OffCpu.WAITS_IN + in;
            offCpu(event, by == null ? waits : OffCpu.PREEMPTED + by);
        }
    }

    @Override
    protected void called(
            int thread, CallStacks.Frame frame, long length, TraceEvent.SystemCall call) {
        if (awaited.remove(call)) {
            offCpu(call, OffCpu.IN + SystemCallEvent.name(call));
        }
    }

    private boolean isOutsideWindow() {
        return selection.window() >= 0 && window != selection.window();
    }

    @Override
    protected void window(RecordingWindows.Turn turn) {
        long at = clock() == null ? next : clock().time(turn.time());
        if (selection.window() >= 0 && selection.window() != turn.number()) {
            return;
        }
        if (!selection.isBefore(next, at) && !selection.isBehind(next, at)) {
            sink.at(at);
        }
        if (!turn.opens()) {
            lanes.closed(process, turn.number(), at, turn.cause());
        } else {
            lanes.opened(new RecordedWindow(
                    process, turn.number(), at, RecordedWindow.OPEN, turn.cause(), ""));
        }
    }

    /**
     * Notes what the recorder says of a window. It ends one with a slow call, and the program may
     * end before it does.
     */
    private void windowEnd(String line) {
        String[] parts = line.split(",", WINDOW_PARTS); // parameters of the closer have commas
        if (clock() != null && parts.length >= WINDOW_PARTS && parts[1].matches("\\d{1,18}")) {
            lanes.ended(process, Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[3]);
        }
    }

    private void began(TraceEvent.Recording start) {
        String what = start.cause() == SharedLayout.START_MAIN
                ? Lanes.MAIN
                : start.cause() == SharedLayout.START_LOAD ? Lanes.LOAD : null;
        if (what != null && clock() != null && process != null) {
            lanes.began(process, clock().time(start.time()), what);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.Span span && isSelected(span)) {
            if (span instanceof TraceEvent.Pause) {
                offCpu(span, OffCpu.MADT);
            }
            awaited.take(span);
        }
        selection.thread().ring(event);
        if (process != null) {
            process.names().take(event);
        }
        if (event.type() == RingEventType.RECORD_START) {
            began((TraceEvent.Recording) event);
        }
        closing = event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END;
        if (event instanceof TraceEvent.OpenFunction open && follows(open.thread())) {
            open(open);
        }
        super.ring(event);
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        closing = false;
    }

    /** Functions that are open lie where their thread's recording begins. */
    private void open(TraceEvent.OpenFunction event) {
        number = next;
        position = clock() == null ? next : clock().time(event.time());
        if (isSelected()) {
            sink.at(position);
        }
        lanes(event.thread()).last(position);
    }

    @Override
    public void end(boolean complete) {
        closing = true;
        brokenAt = lastMoment() != null && isRecordingAtEnd() ? endedAt() : 0;
        if (isRunning()) {
            awaited.open().forEach(call -> offCpu(call, OffCpu.IN + SystemCallEvent.name(call)));
        }
        super.end(complete);
    }
}
