package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.OptionalValue;
import dev.madt.console.Status;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.view.locality.AffinityReport;
import dev.madt.view.locality.LocalityKey;
import dev.madt.view.locality.PhaseReport;
import dev.madt.view.locality.ReuseReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt reuse}: how soon lines are accessed again. */
final class ReuseCommand extends TableCommand {
    private static final String HISTOGRAM = "histogram";
    private static final String CURVE = "curve";
    private static final String WORKING_SET = "working-set";
    private static final String SAMPLE = "sample";
    private static final String LINE_SIZE = "line-size";
    private static final String SIZES = "sizes";
    private static final String AFFINITY = "affinity";
    private static final String PAIRS = "pairs";
    private static final String PHASES = "phases";
    private static final String CHANGE = "change";
    private static final int USUAL_CHANGE = 25;
    private static final int LEAST_INTERVAL = 16;
    private static final String NEAR = "64";
    private static final int MOST_NEAR = 1 << 16;
    private static final int LEAST_LINE = 8;
    private static final int MOST_LINE = 1 << 16;
    private static final int MOST_LINES = 1_000_000;
    private static final int MOST_SIZES = 8;

    @Override
    public String name() {
        return "reuse";
    }

    @Override
    public String summary() {
        return "how soon memory is used again, and what is used together";
    }

    @Override
    public Options options() {
        Options options = SelectionOptions.addTo(new Options());
        options.addOption(
                LocksCommand.flag(HISTOGRAM, "references by distance; with --by, of each row"));
        options.addOption(
                LocksCommand.flag(CURVE, "misses over the size of a fully associative cache"));
        options.addOption(SelectionOptions.option(
                WORKING_SET, "N", "lines accessed within each N accesses, such as 1M"));
        options.addOption(SelectionOptions.option(
                SIZES, "LIST", "misses of caches of these sizes (32K,1M,32M)"));
        options.addOption(SelectionOptions.option(
                SAMPLE, "N", "look at one line in N; say how far that is off"));
        options.addOption(SelectionOptions.option(
                AFFINITY, "N", "members used together, within N accesses (64)"));
        options.addOption(LocksCommand.flag(PAIRS, "with --affinity: each pair of members"));
        options.addOption(SelectionOptions.option(
                PHASES, "N", "spans of alike intervals of N (1K) accesses or more"));
        options.addOption(SelectionOptions.option(
                CHANGE, "PERCENT", "with --phases: by how much a new one differs (25)"));
        return CacheCommand.addTo(options, "first")
                .addOption(SelectionOptions.option(
                        LINE_SIZE, "BYTES", "lines of so many bytes (default: 64)"));
    }

    @Override
    public List<HelpSection> sections() {
        return CacheCommand.sectionsBehind(HelpSection.of(
                "What is counted",
                "by",
                HISTOGRAM,
                CURVE,
                WORKING_SET,
                SIZES,
                SAMPLE,
                LINE_SIZE,
                AFFINITY,
                PAIRS,
                PHASES,
                CHANGE,
                CacheCommand.TRANSFERS));
    }

    @Override
    public String[] spelled(String[] arguments) {
        String[] spelled = OptionalValue.spelled(
                arguments, "--" + AFFINITY, word -> word.matches("\\d+"), NEAR);
        return OptionalValue.spelled(
                spelled, "--" + PHASES, word -> word.matches("\\d+[KMG]?"), "1K");
    }

    @Override
    public Map<String, List<String>> words() {
        return CacheCommand.words(Map.of());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt reuse prog.madt",
                "madt reuse --curve --format svg -o curve.svg prog.madt",
                "madt reuse --working-set 100K prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        if (line.hasOption(AFFINITY) || line.hasOption(PAIRS)) {
            return showAffinity(line, messages);
        }
        if (line.hasOption(PHASES) || line.hasOption(CHANGE)) {
            return showPhases(line, messages);
        }
        ReuseReport.Form form = form(line);
        ReuseReport report = new ReuseReport(form);
        return CacheCommand.show(
                this,
                line,
                messages,
                ReuseReport.headings(form),
                new CacheCommand.Told(report, report::table, report::chart, report::sentences));
    }

    private int showAffinity(CommandLine line, Messages messages) throws Failure, IOException {
        refuse(line, AFFINITY, HISTOGRAM, CURVE, WORKING_SET, SAMPLE, PHASES, CHANGE, "by");
        long window = Choice.number(line, AFFINITY, 2, Long.parseLong(NEAR));
        if (window > MOST_NEAR) {
            throw new Failure(
                    Status.USAGE,
                    "--" + AFFINITY + " is a number of accesses up to " + MOST_NEAR + ", not '"
                            + window + "'.");
        }
        boolean pairs = line.hasOption(PAIRS);
        AtomicReference<AffinityReport> report = new AtomicReference<>();
        return CacheCommand.show(
                this,
                line,
                messages,
                pairs ? AffinityReport.PAIRS : AffinityReport.MEMBERS,
                new CacheCommand.Told(
                        (reading, types) -> {
                            report.set(new AffinityReport((int) window, types));
                            reading.add(report.get());
                        },
                        () -> report.get().isOfAccesses(),
                        (top, fine) -> report.get().table(pairs, top),
                        trace -> report.get().chart(trace),
                        () -> report.get().sentences()));
    }

    private int showPhases(CommandLine line, Messages messages) throws Failure, IOException {
        refuse(line, PHASES, HISTOGRAM, CURVE, WORKING_SET, SAMPLE, "by");
        long length = accesses(line, PHASES, "1K");
        if (length < LEAST_INTERVAL) {
            throw new Failure(
                    Status.USAGE, "--" + PHASES + " is at least " + LEAST_INTERVAL + " accesses.");
        }
        PhaseReport report =
                new PhaseReport(length, Choice.percent(line, CHANGE, USUAL_CHANGE), lineSize(line));
        return CacheCommand.show(
                this,
                line,
                messages,
                PhaseReport.HEADINGS,
                new CacheCommand.Told(
                        (reading, types) -> reading.add(report),
                        report::isOfAccesses,
                        (top, fine) -> report.table(top),
                        report::chart,
                        report::sentences));
    }

    /** Refuses what a table of its own has no use for. */
    private static void refuse(CommandLine line, String table, String... others) throws Failure {
        for (String other : others) {
            if (line.hasOption(other)) {
                throw new Failure(
                        Status.USAGE,
                        "--" + table + " is a table of its own: --" + other + " does not go with"
                                + " it.");
            }
        }
    }

    private static ReuseReport.Form form(CommandLine line) throws Failure {
        LocalityKey key = CacheCommand.key(line);
        boolean byRow = line.hasOption("by");
        ReuseReport.Part part = part(line);
        if (byRow && part != ReuseReport.Part.ROWS && part != ReuseReport.Part.HISTOGRAM) {
            throw new Failure(
                    Status.USAGE,
                    "--by goes with neither --" + CURVE + " nor --" + WORKING_SET
                            + ": --symbol, --function and the like select what they are of.");
        }
        int size = lineSize(line);
        boolean histograms = byRow && part == ReuseReport.Part.HISTOGRAM;
        return new ReuseReport.Form(
                histograms ? ReuseReport.Part.ROWS : part,
                key,
                size,
                sizes(line, size),
                window(line),
                histograms,
                line.hasOption(CacheCommand.TRANSFERS),
                oneIn(line, part));
    }

    private static int lineSize(CommandLine line) throws Failure {
        long size = Choice.number(line, LINE_SIZE, LEAST_LINE, 64);
        if (Long.bitCount(size) != 1 || size > MOST_LINE) {
            throw new Failure(
                    Status.USAGE,
                    "--" + LINE_SIZE + " is a power of two from " + LEAST_LINE + " to " + MOST_LINE
                            + ", not '" + size + "'.");
        }
        return (int) size;
    }

    private static int oneIn(CommandLine line, ReuseReport.Part part) throws Failure {
        long oneIn = Choice.number(line, SAMPLE, 1, 1);
        if (oneIn > MOST_LINES || oneIn > 1 && part == ReuseReport.Part.WORKING_SET) {
            throw new Failure(
                    Status.USAGE,
                    "--" + SAMPLE + " is a number of lines up to " + MOST_LINES + ", of each of"
                            + " which one is looked at; it does not go with --" + WORKING_SET
                            + ".");
        }
        return (int) oneIn;
    }

    private static ReuseReport.Part part(CommandLine line) throws Failure {
        List<ReuseReport.Part> asked = new ArrayList<>();
        if (line.hasOption(HISTOGRAM)) {
            asked.add(ReuseReport.Part.HISTOGRAM);
        }
        if (line.hasOption(CURVE)) {
            asked.add(ReuseReport.Part.CURVE);
        }
        if (line.hasOption(WORKING_SET)) {
            asked.add(ReuseReport.Part.WORKING_SET);
        }
        if (asked.size() > 1) {
            throw new Failure(
                    Status.USAGE,
                    "--histogram, --curve and --working-set are a table each: one of them.");
        }
        return asked.isEmpty() ? ReuseReport.Part.ROWS : asked.get(0);
    }

    private static List<Long> sizes(CommandLine line, long lineSize) throws Failure {
        List<Long> sizes = new ArrayList<>();
        for (String word : line.getOptionValue(SIZES, "32K,1M,32M").split(",", -1)) {
            long size = Numbers.bytes(word.strip());
            if (size < lineSize || size % lineSize != 0) {
                throw new Failure(
                        Status.USAGE,
                        "--" + SIZES + " are sizes of caches, for instance 32K,1M, each a multiple"
                                + " of a line, not '" + word + "'.");
            }
            sizes.add(size);
        }
        if (sizes.size() > MOST_SIZES) {
            throw new Failure(Status.USAGE, "--" + SIZES + " takes up to " + MOST_SIZES + ".");
        }
        return sizes.stream().distinct().toList();
    }

    private static long window(CommandLine line) throws Failure {
        return line.hasOption(WORKING_SET) ? accesses(line, WORKING_SET, "") : 0;
    }

    /** A number of accesses: K, M and G are powers of 1,000. */
    private static long accesses(CommandLine line, String option, String otherwise) throws Failure {
        String text = line.getOptionValue(option, otherwise);
        int zeros = 3 * (" KMG".indexOf(text.isEmpty() ? 'x' : text.charAt(text.length() - 1)));
        String digits = zeros > 0 ? text.substring(0, text.length() - 1) : text;
        if (!digits.matches("[1-9][0-9]{0,8}")) {
            throw new Failure(
                    Status.USAGE,
                    "--" + option + " is a number of accesses, for instance 100K or 1M, not '"
                            + text + "'.");
        }
        return Long.parseLong(digits) * Math.round(Math.pow(10, Math.max(0, zeros)));
    }
}
