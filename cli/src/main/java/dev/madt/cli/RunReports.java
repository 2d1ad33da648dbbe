package dev.madt.cli;

import dev.madt.cli.report.Report;
import dev.madt.cli.report.ReportKey;
import dev.madt.cli.view.ViewFeed;
import dev.madt.tracker.EventConsumer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The reports of a run, one for each process, counted while it runs. They are written one after another, in the order in which the
 * processes began; where there are several, a text says which is whose.
 */
final class RunReports {
    private record Counted(Report report, ViewFeed feed) {}

    private final ReportForm form;
    private final List<Counted> all = new ArrayList<>();
    private final List<String> processes = new ArrayList<>();

    RunReports(ReportForm form) {
        this.form = form;
    }

    /** What counts the events of one more process. */
    EventConsumer newConsumer() {
        Report report = new Report(form.key(), false, null);
        ViewFeed feed = new ViewFeed(report, LineDetailOptions.readable(), null);
        all.add(new Counted(report, feed));
        return feed;
    }

    /** The next process, in the order of their consumers. */
    void begin(String program, int pid) {
        processes.add(program + ", process " + pid);
    }

    void write(OutputStream out, Talk talk) throws IOException {
        for (int i = 0; i < processes.size(); i++) {
            Counted counted = all.get(i);
            if (processes.size() > 1 && form.format().equals("text")) {
                out.write(((i > 0 ? "\n" : "") + processes.get(i) + ":\n").getBytes(StandardCharsets.UTF_8));
            }
            out.write(ReportText.render(counted.report(), form, false).getBytes(StandardCharsets.UTF_8));
            if (form.key() == ReportKey.LINE && !counted.feed().hasSources()) {
                talk.say(processes.get(i) + " has no source lines. Compile the program with -g, or use --report function.");
            }
        }
    }
}
