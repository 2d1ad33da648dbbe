package dev.madt.view.report;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * How a report is to look.
 *
 * @param top rows at most; 0: all
 * @param format a word of {@link #FORMATS}
 * @param order null: hottest first
 */
public record ReportForm(ReportKey key, int top, String format, RowOrder order) {
    public static final List<String> FORMATS = List.of("text", "csv", "json");

    /** Adds the options but for the key. */
    public static Options addTo(Options options) {
        return options
                .addOption(Option.builder().longOpt("top").hasArg().argName("N").desc("show only the hottest N rows").get())
                .addOption(Option.builder().longOpt("format").hasArg().argName("FORMAT").desc("text (default), csv or json").get());
    }

    /** @param keyOption which option tells the key; the default is by symbol */
    public static ReportForm of(CommandLine line, String keyOption) throws Failure {
        ReportKey key = ReportKey.of(Choice.of(line, keyOption, ReportKey.words(), "symbol"));
        String sort = line.getOptionValue("sort");
        return new ReportForm(
                key,
                (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0)),
                Choice.of(line, "format", FORMATS, "text"),
                sort == null ? null : RowOrder.of(sort, key));
    }
}
