package dev.madt.view.timeline;

import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Calls in the Trace Event Format of Chrome's viewer (as JSON object): a B and an E event for each,
 * in microseconds with three digits behind the point. Of a trace without times, a microsecond is an
 * event.
 */
final class EventJson implements CallSink {
    /** Threads have lanes by their numbers, further stacks numbers that no thread has. */
    private static final int FURTHER_STACKS = 1 << 30;

    /** Threads off the CPU have numbers of their own, too. */
    private static final int OFF_CPU = 3 << 29;

    /** A lane for the windows of the recording. */
    private static final int WINDOWS = 7 << 28;

    private static final int THOUSAND = 1000;

    private final TextBuffer text;
    private final Functions functions;
    private final Lanes lanes;
    private final String title;
    private final Map<CalledFunction, String> names = new HashMap<>();
    private boolean some;
    /** The last position so far. */
    private long last;

    EventJson(Functions functions, Lanes lanes, String title, OutputStream out) {
        this.functions = functions;
        this.lanes = lanes;
        this.title = title;
        this.text = new TextBuffer(out);
        text.text("{\"traceEvents\":[");
    }

    @Override
    public void at(long position) {
        last = Math.max(last, position);
    }

    @Override
    public void begin(Call call) {
        event('B', call.lane().process().pid(), number(call.lane()), call.start());
        text.text(names.computeIfAbsent(
                call.function(),
                function -> ",\"name\":" + JsonText.quoted(function.name()) + ",\"cat\":"
                        + JsonText.quoted(function.cost().module())));
        if (call.arguments() != null) {
            text.text(",\"args\":{\"arguments\":").text(JsonText.quoted(call.arguments()));
            text.character('}');
        }
        text.character('}');
    }

    @Override
    public void end(Call call) {
        event('E', call.lane().process().pid(), number(call.lane()), call.end());
        String before = ",\"args\":{";
        if (functions.profile().isTimed()) {
            text.text(before).text("\"ns\":").decimal(call.length());
            text.text(",\"self_ns\":").decimal(call.self());
            before = ",";
        }
        if (functions.profile().isOfAccesses()) {
            text.text(before).text("\"accesses\":").decimal(call.accesses());
            text.text(",\"bytes\":").decimal(call.bytes());
            before = ",";
        }
        if (call.result() != null) {
            text.text(before).text("\"result\":").text(JsonText.quoted(call.result()));
            before = ",";
        }
        if (call.ending() != Call.Ending.RETURNED) {
            text.text(before).text("\"left\":\"").text(call.ending().word()).character('"');
            before = ",";
        }
        text.text(before.equals(",") ? "}}" : "}");
    }

    private void event(char phase, long pid, long thread, long position) {
        text.text(some ? ",\n{\"ph\":\"" : "\n{\"ph\":\"").character(phase);
        some = true;
        text.text("\",\"pid\":").decimal(pid);
        text.text(",\"tid\":").decimal(thread).text(",\"ts\":");
        if (functions.profile().isTimed()) {
            long nanos = Math.max(0, position);
            text.decimal(nanos / THOUSAND)
                    .character('.')
                    .text(Long.toString(THOUSAND + nanos % THOUSAND).substring(1));
        } else {
            text.decimal(position);
        }
    }

    private static long number(Lane lane) {
        return lane.slot() == 0
                ? Integer.toUnsignedLong(lane.thread())
                : FURTHER_STACKS + lane.number();
    }

    /** Writes when threads did not run the program, in lanes of its own. */
    private void offCpu() {
        Set<Long> told = new HashSet<>();
        for (OffCpu time : lanes.offCpu()) {
            long pid = time.lane().process().pid();
            long thread = OFF_CPU + (long) OffCpu.KINDS * time.lane().number() + time.kind();
            if (told.add(thread)) {
                named("thread_name", pid, thread, time.lane().title() + ", " + time.heading());
            }
            event('B', pid, thread, time.from());
            text.text(",\"name\":").text(JsonText.quoted(time.why())).character('}');
            event('E', pid, thread, time.to());
            text.character('}');
        }
    }

    /** The windows of a process are a lane of their own. */
    private void windows() {
        Set<TracedProcess> told = new HashSet<>();
        for (RecordedWindow window : lanes.windows()) {
            long pid = window.process().pid();
            if (told.add(window.process())) {
                named("thread_name", pid, WINDOWS, "windows");
            }
            event('B', pid, WINDOWS, window.from());
            text.text(",\"name\":").text(JsonText.quoted(window.title()));
            text.text(",\"args\":{\"opened by\":").text(JsonText.quoted(window.opener()));
            if (!window.closer().isEmpty()) {
                text.text(",\"closed by\":").text(JsonText.quoted(window.closer()));
            }
            text.text("}}");
            event('E', pid, WINDOWS, window.end(last));
            text.character('}');
        }
    }

    @Override
    public void finish() {
        windows();
        offCpu();
        for (TracedProcess process : lanes.processes()) {
            named("process_name", process.pid(), 0, process.title());
        }
        for (Lane lane : lanes.all()) {
            named("thread_name", lane.process().pid(), number(lane), lane.title());
        }
        text.text("\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"trace\":")
                .text(JsonText.quoted(title))
                .text(",\"time\":\"")
                .text(functions.profile().isTimed() ? "since the recording began" : "event numbers")
                .text("\"}}\n")
                .flush();
    }

    private void named(String what, long pid, long thread, String name) {
        text.text(some ? ",\n" : "\n");
        some = true;
        text.text("{\"ph\":\"M\",\"name\":\"").text(what).text("\",\"pid\":").decimal(pid);
        text.text(",\"tid\":").decimal(thread).text(",\"args\":{\"name\":");
        text.text(JsonText.quoted(name)).text("}}");
    }
}
