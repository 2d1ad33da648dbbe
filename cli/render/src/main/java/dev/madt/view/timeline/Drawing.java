package dev.madt.view.timeline;

import dev.madt.console.Numbers;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.EventConsumer;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.calls.CallProfile;
import dev.madt.view.locks.LockFollower;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A timeline on its way to a stream: traces are read by {@link #reader}, one after another. */
public final class Drawing {
    private final TimelineFormat format;
    private final TimelineSelection selection;
    private final String title;
    private final OutputStream out;
    private final CallProfile profile = new CallProfile();
    private final Functions functions = new Functions(profile);
    private final Lanes lanes = new Lanes();
    private final Timeline timeline;
    private final CallSink sink;

    /** @param title what the calls are of */
    public Drawing(
            TimelineFormat format, TimelineSelection selection, String title, OutputStream out) {
        this.format = format;
        this.selection = selection;
        this.title = title;
        this.out = out;
        this.timeline = new Timeline(functions, format.spans());
        this.sink = switch (format) {
            case JSON -> new EventJson(functions, lanes, title, out);
            case PFTRACE -> new PerfettoTrace(functions, lanes, out);
            default -> timeline;
        };
    }

    /** The reader of the next trace. */
    public TimelineReader reader(Demangler names) {
        return new TimelineReader(selection, functions, lanes, sink, names);
    }

    /**
     * The reader of the next trace, which has locks, too.
     *
     * @param types what is known of them
     */
    public EventConsumer readerOfLocks(Demangler names, MemberTypes types) {
        TimelineReader calls = reader(names);
        LockSpans locks = new LockSpans(selection, functions, lanes, sink, calls::process);
        return new Reading(Selection.ALL)
                .add(calls)
                .add(new LockFollower(types, List.of(locks)))
                .consumer(names, types);
    }

    /** Returns whether something is drawn. */
    public boolean isEmpty() {
        return !profile.isOfCalls() && lanes.locks() == 0;
    }

    /** Returns what the calls cost. */
    public CallProfile profile() {
        return profile;
    }

    /** All traces have been read. */
    public void finish() throws IOException {
        sink.finish();
        switch (format) {
            case HTML -> new TimelinePage(timeline, lanes, title).write(out);
            case SVG -> new TimelinePicture(timeline, lanes, title).write(out);
            case TXT -> new TimelineText(timeline, lanes, title).write(out);
            default -> {
                return;
            }
        }
    }

    /** Returns what the result does not show; null: it shows everything. */
    public String remark() {
        String deep = timeline.deep() == 0
                ? ""
                : Numbers.counted(timeline.deep(), "call", "calls") + " within more than "
                        + Timeline.MOST_ROWS + " others "
                        + (timeline.deep() == 1 ? "is" : "are") + " counted, not drawn.";
        String merged = format != TimelineFormat.HTML || timeline.least() == 0
                ? ""
                : "calls shorter than " + Positions.length(timeline.least(), profile.isTimed())
                        + " are merged with those beside them; --from and --until draw a part of"
                        + " the trace with all of its calls.";
        return (deep + " " + merged).isBlank() ? null : (merged + " " + deep).strip();
    }
}
