package dev.madt.view.timeline;

import dev.madt.tracker.Durations;
import dev.madt.view.calls.CallFunction;
import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.PackedNumbers;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A timeline as a page for a browser, which needs no network: {@code timeline.html} with data. Rows
 * of spans are numbers of 7 bits a byte (LEB128) in base64, for each span: distance from the start
 * of the one before, length in calls, four times the number of the function and how it ended (3:
 * several calls), from start to end without the length; of several calls their number, and the
 * length of the longest; of one its own time. Where accesses were recorded, these and bytes follow,
 * the distance from the first event of the span before, and from the first event to the last.
 */
final class TimelinePage {
    private static final int SEVERAL = 3;
    /** The longest times off the CPU are drawn, so many at most. */
    private static final int MOST_OFF_CPU = 20_000;

    /** Data of a function that are named. */
    private static final int MOST_DATA = 8;

    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            TimelinePage.class,
            "timeline.html",
            List.of("timeline.css", "model.js", "drawing.js", "panel.js", "control.js"));

    private final Timeline timeline;
    private final Lanes lanes;
    private final String title;
    private final boolean timed;
    private final boolean accesses;

    TimelinePage(Timeline timeline, Lanes lanes, String title) {
        this.timeline = timeline;
        this.lanes = lanes;
        this.title = title;
        this.timed = timeline.functions().profile().isTimed();
        this.accesses = timeline.functions().profile().isOfAccesses();
    }

    void write(OutputStream out) throws IOException {
        TEMPLATE.write(out, this::data);
    }

    private void data(TextBuffer text) {
        text.text("{\"title\":").text(JsonText.quoted(title));
        text.text(",\"timed\":").text(String.valueOf(timed));
        text.text(",\"accesses\":").text(String.valueOf(accesses));
        text.text(",\"first\":").decimal(timeline.first());
        text.text(",\"last\":").decimal(timeline.last());
        text.text(",\"origin\":").decimal(timed ? lanes.origin() : 0);
        text.text(",\"originOf\":").text(JsonText.quoted(lanes.originOf()));
        text.text(",\"calls\":").decimal(timeline.calls());
        text.text(",\"locks\":").decimal(lanes.locks());
        text.text(",\"single\":").decimal(timeline.single());
        text.text(",\"deep\":").decimal(timeline.deep());
        text.text(",\"least\":").decimal(timeline.least());
        text.text(",\"kept\":").decimal(timeline.kept());
        text.text(",\"several\":").text(String.valueOf(lanes.processes().size() > 1));
        text.text(",\"killed\":").text(JsonText.quoted(lanes.brokenOff()));
        text.text(",\n\"functions\":[");
        String before = "\n";
        for (CalledFunction function : timeline.functions().all()) {
            function(text.text(before), function);
            before = ",\n";
        }
        text.text("],\n\"processes\":[");
        before = "\n";
        for (TracedProcess process : lanes.processes()) {
            text.text(before).text(JsonText.quoted(process.title()));
            before = ",\n";
        }
        List<Lane> drawn = new ArrayList<>();
        text.text("],\n\"lanes\":[");
        before = "\n";
        for (TracedProcess process : lanes.processes()) {
            for (Lane lane : lanes.of(process)) {
                drawn.add(lane);
                lane(text.text(before), lane);
                before = ",\n";
            }
        }
        SpanTexts texts = new SpanTexts(timeline, drawn);
        text.text("],\n\"unsaid\":").decimal(texts.left());
        texts.write(text.text(",\"said\":["));
        windows(text.text("],\n\"windows\":["));
        handovers(text.text("],\n\"handovers\":["), drawn);
        text.text("],\n\"offCpu\":[");
        before = "\n";
        for (OffCpu time : longest()) {
            text.text(before).text("[").decimal(drawn.indexOf(time.lane()));
            text.text(",").decimal(time.from()).text(",").decimal(time.to());
            text.text(",").text(JsonText.quoted(time.why())).text("]");
            before = ",\n";
        }
        text.text("]}");
    }

    private void windows(TextBuffer text) {
        String before = "\n";
        for (RecordedWindow window : lanes.windows(timeline.first(), timeline.last())) {
            text.text(before).text("[").decimal(window.process().number());
            text.text(",").decimal(window.number());
            text.text(",").decimal(window.from());
            text.text(",").decimal(window.end(timeline.last()));
            text.text(",").text(JsonText.quoted(window.causes())).text("]");
            before = ",\n";
        }
    }

    /** Of the longest waits: the lanes that a lock goes from and to, when, and after what wait. */
    private void handovers(TextBuffer text, List<Lane> drawn) {
        String before = "\n";
        for (LockHandover lock : lanes.handovers().stream()
                .sorted(Comparator.comparingLong(one -> -one.waited()))
                .limit(MOST_OFF_CPU)
                .toList()) {
            text.text(before).text("[").decimal(drawn.indexOf(lock.from()));
            text.text(",").decimal(drawn.indexOf(lock.to()));
            text.text(",").decimal(lock.at()).text(",").decimal(lock.waited()).text("]");
            before = ",\n";
        }
    }

    private List<OffCpu> longest() {
        return lanes.offCpu().stream()
                .sorted(Comparator.comparingLong(time -> time.from() - time.to()))
                .limit(MOST_OFF_CPU)
                .sorted(Comparator.comparingLong(OffCpu::from))
                .toList();
    }

    /**
     * Name, module, calls, then times if there are any, accesses and bytes, durations, and the data
     * that it read and wrote most: name, bytes read, bytes written; then the bytes of all others.
     */
    private void function(TextBuffer text, CalledFunction called) {
        CallFunction function = called.cost();
        text.text("[").text(JsonText.quoted(function.name()));
        text.text(",").text(JsonText.quoted(function.module()));
        text.text(",").decimal(function.calls());
        text.text(",").decimal(function.total()).text(",").decimal(function.self());
        Durations spread = function.durations();
        text.text(",").decimal(spread.least()).text(",").decimal(spread.mean());
        text.text(",").decimal(spread.percentile(99)).text(",").decimal(spread.most());
        text.text(",").decimal(function.accesses()).text(",").decimal(function.bytes());
        text.text(",[");
        long[] classes = timed ? spread.classes() : new long[0];
        String before = "";
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] > 0) {
                text.text(before).decimal(i).text(",").decimal(classes[i]);
                before = ",";
            }
        }
        text.text("],[");
        before = "";
        List<DataBytes> data = called.data();
        for (DataBytes one : data.subList(0, Math.min(MOST_DATA, data.size()))) {
            text.text(before).text(JsonText.quoted(one.name()));
            text.text(",").decimal(one.read()).text(",").decimal(one.written());
            before = ",";
        }
        text.text("],");
        text.decimal(data.stream().skip(MOST_DATA).mapToLong(DataBytes::all).sum())
                .text("]");
    }

    private void lane(TextBuffer text, Lane lane) {
        text.text("[").decimal(lane.process().number());
        text.text(",").text(JsonText.quoted(lane.title()));
        text.text(",").text(Integer.toUnsignedString(lane.thread())).text(",[");
        String before = "";
        for (SpanRow row : timeline.rows(lane)) {
            text.text(before).text("\"").text(encoded(row)).text("\"");
            before = ",\n";
        }
        text.text("]]");
    }

    private String encoded(SpanRow row) {
        PackedNumbers numbers = new PackedNumbers();
        long last = 0;
        long lastEvent = 0;
        for (int i = 0; i < row.size(); i++) {
            boolean several = row.count(i) > 1;
            numbers.add(Math.max(0, row.start(i) - last));
            last = Math.max(last, row.start(i));
            numbers.add(row.length(i));
            numbers.add(4L * row.function(i) + (several ? SEVERAL : ending(row.ending(i))));
            numbers.add(Math.max(0, row.end(i) - row.start(i) - row.length(i)));
            if (several) {
                numbers.add(row.count(i));
            }
            numbers.add(row.detail(i));
            if (accesses) {
                numbers.add(row.accesses(i));
                numbers.add(row.bytes(i));
                numbers.add(Math.max(0, row.first(i) - lastEvent));
                lastEvent = Math.max(lastEvent, row.first(i));
                numbers.add(row.last(i) - row.first(i));
            }
        }
        return numbers.text();
    }

    /** A page tells of a jump as of what is left unseen. */
    private static int ending(Call.Ending ending) {
        return (ending == Call.Ending.JUMPED ? Call.Ending.UNSEEN : ending).ordinal();
    }
}
