package dev.madt.collector;

import dev.madt.console.Messages;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.OwnSource;
import dev.madt.view.ViewFeed;
import dev.madt.view.chains.UserSites;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The reports of a run, one for each process, counted while it runs. They are written one after
 * another, in the order in which the processes began; where there are several, a text says which is
 * whose. Of a process that has ended only the text of its report is kept.
 */
final class RunReports {
    /** The report of one process. */
    static final class Counted {
        private final ReportForm form;
        private Report report;
        private ViewFeed feed;
        private String process;
        private byte[] text;
        private boolean hasSources;

        private Counted(ReportForm form) {
            this.form = form;
            report = new Report(form.keys(), false, null);
            feed = new ViewFeed(
                    report,
                    LineDetailOptions.growing(),
                    null,
                    OwnSource.USUAL,
                    UserSites.byNames());
        }

        /** Returns what counts the events of the process. */
        EventConsumer consumer() {
            return feed;
        }

        /** The process has ended: what was counted becomes text, once. */
        void end() {
            if (text == null) {
                text = ReportText.render(
                                report, form, process == null ? List.of() : List.of(process), false)
                        .getBytes(StandardCharsets.UTF_8);
                hasSources = feed.hasSources();
                report = null;
                feed = null;
            }
        }
    }

    private final ReportForm form;
    private final List<Counted> processes = new ArrayList<>();

    RunReports(ReportForm form) {
        this.form = form;
    }

    /** A report that no process has yet. */
    Counted make() {
        return new Counted(form);
    }

    /** A process begins. */
    void begin(Counted counted, String program, int pid) {
        counted.process = PrintableText.of(program) + ", process " + pid;
        processes.add(counted);
    }

    void write(OutputStream out, Messages messages) throws IOException {
        for (int i = 0; i < processes.size(); i++) {
            Counted counted = processes.get(i);
            counted.end();
            if (processes.size() > 1 && form.format().equals("text")) {
                out.write(((i > 0 ? "\n" : "") + counted.process + ":\n")
                        .getBytes(StandardCharsets.UTF_8));
            }
            out.write(counted.text);
            if (form.keys().contains(ReportKey.LINE) && !counted.hasSources) {
                messages.say(counted.process
                        + " has no source lines. Compile the program with -g, or use"
                        + " --report function.");
            }
        }
    }
}
