package dev.madt.view.calls;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.CallFollower;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.OffCpuEvent;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.ThreadChoice;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Counts the calls of one trace into a profile, and the accesses between them: each belongs to the
 * function that is open innermost.
 */
public final class CallCounter extends CallFollower {
    private final CallProfile profile;
    private final ThreadChoice only;
    private final boolean earlier;
    private final LongObjectHashMap<CallFunction> functions = new LongObjectHashMap<>();
    /** Says whether it is known when threads had no processor. */
    private boolean switches;

    /** @param only counts these threads alone */
    public CallCounter(CallProfile profile, Demangler names, ThreadChoice only) {
        this(profile, names, only, false);
    }

    /** As above; {@code earlier}: the trace is one to compare with. */
    public CallCounter(CallProfile profile, Demangler names, ThreadChoice only, boolean earlier) {
        super(names);
        this.earlier = earlier;
        this.profile = profile;
        this.only = only;
    }

    @Override
    public void meta(Map<String, String> values) {
        super.meta(values);
        only.meta(values);
        profile.threadNames(values.getOrDefault(ThreadNames.KEY, ""));
        if (clock() != null) {
            profile.kinds(earlier).timed();
        }
        if (values.containsKey("switches")) {
            switches = "recorded".equals(values.get("switches"));
            profile.hasAbsences(switches);
        }
        if (values.containsKey("calls")) {
            profile.kinds(earlier).hasCalls();
        }
    }

    @Override
    public void ring(TraceEvent event) {
        only.ring(event);
        super.ring(event);
    }

    @Override
    protected void renamed() {
        functions.clear();
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        if (wanted(thread)) {
            super.call(number, thread, site, stack, time);
        }
    }

    @Override
    protected void entered(int thread, CallStacks.Frame frame) {
        CallFunction function = function(frame.entry());
        function.enter(thread);
        frame.note(profile.path(path(thread, frame.caller()), function));
    }

    @Override
    protected boolean follows(int thread) {
        return wanted(thread);
    }

    @Override
    protected void opened(int thread, CallStacks.Frame frame) {
        entered(thread, frame);
    }

    /** Tells what it costs with what it led to: as a chain of its own. */
    @Override
    protected void jumped(int thread, CallStacks.Frame frame) {
        frame.note(profile.jumped(path(thread, frame)));
    }

    @Override
    protected void neverLeft(int thread, CallStacks.Frame innermost) {
        profile.neverLeft(lastMoment() + ", " + openCalls(thread, innermost));
    }

    private CallFunction function(long entry) {
        CallFunction function = functions.get(entry);
        if (function == null) {
            function = profile.function(functionName(entry), moduleName(entry));
            functions.put(entry, function);
        }
        return function;
    }

    private CallPath path(int thread, CallStacks.Frame frame) {
        return frame == null ? profile.start(thread) : (CallPath) frame.note();
    }

    @Override
    protected void ended(int thread, CallStacks.Frame frame, boolean seen) {
        long nanos = clock() == null ? 0 : clock().span(frame.elapsed());
        long self = clock() == null ? 0 : clock().span(frame.self());
        CallPath path = path(thread, frame);
        if (frame.wasOpen()) {
            function(frame.entry()).leaveOpen(thread, nanos, self);
            path.cost(earlier).spent(self);
        } else {
            function(frame.entry()).leave(thread, nanos, self);
            path.cost(earlier).ended(self);
        }
        if (path(thread, frame.caller()) != path) {
            path.cost(earlier).took(nanos);
        }
    }

    @Override
    protected void offCpu(
            int thread,
            CallStacks.Frame innermost,
            long length,
            TraceEvent.OffCpu event,
            String in) {
        if (innermost != null && clock() != null && wanted(thread)) {
            addOffCpu(thread, innermost, clock().span(length), OffCpuEvent.preemptedBy(event), in);
        }
    }

    private void addOffCpu(int thread, CallStacks.Frame in, long nanos, String by, String call) {
        function(in.entry()).offCpu(nanos, by, call);
        String why = by != null ? "preempted" : call.isEmpty() ? "waiting" : "waiting in " + call;
        path(thread, in).cost(earlier).addOffCpu(why, nanos);
    }

    @Override
    protected void called(
            int thread, CallStacks.Frame innermost, long length, TraceEvent.SystemCall call) {
        if (innermost == null || clock() == null || !wanted(thread)) {
            return;
        }
        String in = SystemCallEvent.name(call);
        long nanos = clock().span(length);
        if (!switches) {
            function(innermost.entry()).called(nanos, in);
            path(thread, innermost).cost(earlier).addOffCpu("in system call " + in, nanos);
        } else if (SystemCallEvent.isOpen(call) && isRunning()) {
            addOffCpu(thread, innermost, nanos, null, in);
        }
    }

    @Override
    protected boolean counts(long number, int thread) {
        return wanted(thread);
    }

    @Override
    protected void accessed(int thread, long count, long bytes) {
        CallStacks.Frame frame = stacks().innermost(thread);
        path(thread, frame).cost(earlier).access(count, bytes);
        if (frame != null) {
            function(frame.entry()).access(count, bytes);
        } else {
            profile.start().function().access(count, bytes);
        }
        profile.kinds(earlier).hasAccesses();
    }

    private boolean wanted(int thread) {
        return only.holds(thread);
    }
}
