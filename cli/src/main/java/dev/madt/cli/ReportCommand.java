package dev.madt.cli;

import dev.madt.cli.report.Report;
import dev.madt.cli.report.ReportKey;
import dev.madt.cli.view.ViewFeed;
import dev.madt.resolver.MemberTypes;
import dev.madt.resolver.demangle.Demangler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt report}: the totals of a trace, hottest first. */
final class ReportCommand implements Command {
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
        return LineDetailOptions.addNames(ReportForm.addTo(options), true)
                .addOption(Option.builder().longOpt("by").hasArg().argName("KEY")
                        .desc(String.join(", ", ReportKey.words()) + " (default symbol)").get())
                .addOption(Option.builder().longOpt("patterns").desc("strides and reuse distances of each row").get())
                .addOption(Option.builder().longOpt("fields")
                        .desc("rows for members of variables and blocks (--by symbol, block); a guess about a block ends in ?").get());
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        Path file = TraceArgument.of(this, line);
        ReportForm form = ReportForm.of(line, "by");
        ReportKey key = form.key();
        boolean coloured = Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        MemberTypes types = line.hasOption("fields") ? types(key) : null;
        try (ResultFile result = ResultFile.open(line)) {
            Report report = new Report(key, line.hasOption("patterns"), types);
            Demangler demangler = LineDetailOptions.names(line, true);
            ViewFeed feed = new ViewFeed(report, demangler, types);
            int status = TraceReading.read(file, feed, line, talk);
            if (key == ReportKey.LINE && !feed.hasSources()) {
                throw new Failure(Status.FAILED, file + " has no source lines. Compile the program with -g, or use --by function.");
            }
            if (types != null && types.isEmpty()) {
                talk.say(file + " has no types: rows are whole variables and blocks. Compile the program with -g to see members.");
            }
            result.out().write(ReportText.render(report, form, coloured).getBytes(StandardCharsets.UTF_8));
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
}
