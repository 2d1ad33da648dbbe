package dev.madt.cli;

import dev.madt.cli.report.CsvTable;
import dev.madt.cli.report.JsonTable;
import dev.madt.cli.report.Report;
import dev.madt.cli.report.ReportKey;
import dev.madt.cli.report.Table;
import dev.madt.cli.report.TextTable;
import dev.madt.cli.view.ViewFeed;
import dev.madt.resolver.MemberTypes;
import dev.madt.resolver.demangle.Demangler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt report}: the totals of a trace, hottest first. */
final class ReportCommand implements Command {
    private static final List<String> FORMATS = List.of("text", "csv", "json");
    private static final int DEFECTS_SHOWN = 20;

    @Override
    public String name() {
        return "report";
    }

    @Override
    public String arguments() {
        return "[options] TRACE";
    }

    @Override
    public String summary() {
        return "loads, stores, bytes, cache lines and pages by symbol, site, function …, hottest first";
    }

    @Override
    public Options options() {
        Options options = TraceReading.addTo(Terminal.addTo(ResultFile.addTo(new Options())));
        return options
                .addOption(Option.builder().longOpt("by").hasArg().argName("KEY")
                        .desc(String.join(", ", ReportKey.words()) + " (default symbol)").get())
                .addOption(Option.builder().longOpt("top").hasArg().argName("N").desc("the hottest N rows only").get())
                .addOption(Option.builder().longOpt("format").hasArg().argName("FORMAT").desc("text, csv or json").get())
                .addOption(Option.builder().longOpt("patterns").desc("strides and reuse distances of each row").get())
                .addOption(Option.builder().longOpt("fields")
                        .desc("rows for members of variables and blocks (--by symbol, block); a guess about a block ends in ?").get())
                .addOption(Option.builder().longOpt("no-demangle")
                        .desc("names of C++ and Rust as the linker knows them; overloads in rows of their own").get());
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        Path file = TraceArgument.of(this, line);
        ReportKey key = ReportKey.of(Choice.of(line, "by", ReportKey.words(), "symbol"));
        String format = Choice.of(line, "format", FORMATS, "text");
        int top = (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0));
        boolean coloured = Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        MemberTypes types = line.hasOption("fields") ? types(key) : null;
        try (ResultFile result = ResultFile.open(line)) {
            Report report = new Report(key, line.hasOption("patterns"), types);
            Demangler demangler = line.hasOption("no-demangle") ? Demangler.NONE : LineDetailOptions.readable();
            ViewFeed feed = new ViewFeed(report, demangler, types);
            int status = TraceReading.read(file, feed, line, talk);
            if (key == ReportKey.LINE && !feed.hasSources()) {
                throw new Failure(Status.FAILED, file + " has no source lines. Compile the program with -g, or use --by function.");
            }
            if (types != null && types.isEmpty()) {
                talk.say(file + " has no types: rows are whole variables and blocks. Compile the program with -g to see members.");
            }
            result.out().write(render(report, top, format, coloured).getBytes(StandardCharsets.UTF_8));
            result.finish(talk);
            return status;
        }
    }

    private static MemberTypes types(ReportKey key) throws Failure {
        if (!key.hasMembers()) {
            throw new Failure(Status.USAGE, "--fields goes with --by symbol and --by block, not with --by " + key.word() + ".");
        }
        return new MemberTypes();
    }

    private static String render(Report report, int top, String format, boolean coloured) {
        Table rows = report.table(top);
        Table defects = report.defectTable();
        return switch (format) {
            case "csv" -> CsvTable.render(rows);
            case "json" -> JsonTable.render(rows, defects);
            default -> new TextTable(coloured).render(rows) + text(report, defects, coloured);
        };
    }

    private static String text(Report report, Table defects, boolean coloured) {
        if (defects.rows().isEmpty()) {
            return "";
        }
        Table shown = new Table("defects", defects.headings());
        defects.rows().stream().limit(DEFECTS_SHOWN).forEach(shown::row);
        shown.hidden(defects.rows().size() - shown.rows().size());
        String heading = report.deadAccesses() == 0
                ? "No defects beyond doubt, but accesses to blocks after their end:"
                : "Defects: " + Numbers.counted(report.deadAccesses(), "access", "accesses") + " to blocks after their end";
        return "\n" + heading + "\n" + new TextTable(coloured).render(shown);
    }
}
