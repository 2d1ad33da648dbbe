package dev.madt.view.calls;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.CallFollower;
import dev.madt.resolver.line.RecordingWindows;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;
import dev.madt.view.Selection;
import dev.madt.view.convert.CallEvent;
import dev.madt.view.convert.EventList;
import java.util.Map;

/**
 * Tells a list of events of calls, and of windows of the recording. It gets each event behind the
 * feed of that list.
 */
public final class CallRows extends CallFollower {
    /** Is told of each call whether it is in the selection. */
    public interface Counts {
        void count(boolean wanted);
    }

    private final EventList list;
    private final Selection selection;
    private final Counts counts;
    private boolean hasCalls;
    private boolean hasWindows;
    private long window;
    private long next;
    private CallStacks.Frame frame;
    private TraceEvent event;

    /** @param counts is told how many calls are in the selection */
    public CallRows(EventList list, Selection selection, Counts counts, Demangler names) {
        super(names);
        this.list = list;
        this.selection = selection;
        this.counts = counts;
    }

    @Override
    public void meta(Map<String, String> values) {
        super.meta(values);
        hasCalls |= values.containsKey("calls");
        hasWindows |= values.containsKey("start") && !hasWholeRecord();
    }

    @Override
    public void define(Definition definition) {
        if (hasCalls || hasWindows) {
            super.define(definition);
        }
    }

    @Override
    protected boolean wantsValues() {
        return true;
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        next = number + 1;
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        next = number + template.accesses();
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        next = number + 1;
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        next = number + 1;
        frame = null;
        super.call(number, thread, template, words, at);
        boolean enters = template.site(0).kind() == AccessKind.ENTER;
        boolean wanted =
                selection.wants(list.place(), null, 0, enters ? 'B' : 'X', thread, number, window);
        counts.count(wanted);
        if (wanted) {
            list.call(event(
                    number, thread, template, enters, words[at + (template.isTimed() ? 1 : 0)]));
        }
    }

    private CallEvent event(
            long number, int thread, RecordTemplate template, boolean enters, long time) {
        boolean timed = clock() != null && template.isTimed();
        boolean spans =
                timed && !enters && frame != null && frame.entered() != 0 && !frame.wasOpen();
        CallStacks.Frame caller = enters ? frame.caller() : null;
        return new CallEvent(
                enters,
                number,
                thread,
                list.place(),
                functionName(frame == null ? template.site(0).address() : frame.entry()),
                caller == null ? null : frameName(caller),
                values(enters),
                timed && enters ? clock().time(time) : -1,
                spans ? clock().span(frame.elapsed()) : -1,
                spans ? clock().span(frame.self()) : -1);
    }

    /** Without parentheses or equals sign; null if they are not known. */
    private String values(boolean enters) {
        String said = said();
        return said.isEmpty()
                ? null
                : enters ? said.substring(1, said.length() - 1) : said.substring(1);
    }

    @Override
    protected void entered(int thread, CallStacks.Frame entered) {
        frame = entered;
    }

    @Override
    protected void ended(int thread, CallStacks.Frame ended, boolean seen) {
        frame = seen ? ended : frame;
    }

    @Override
    public void ring(TraceEvent told) {
        window += told.type() == RingEventType.RECORD_START ? 1 : 0;
        event = told;
        if (hasCalls || hasWindows) {
            super.ring(told);
        }
    }

    @Override
    protected void window(RecordingWindows.Turn turn) {
        boolean wanted =
                selection.wants(null, null, 0, turn.letter(), event.thread(), next, window);
        counts.count(wanted);
        if (wanted) {
            list.window(turn, event.thread(), clock() == null ? -1 : clock().time(turn.time()));
        }
    }
}
