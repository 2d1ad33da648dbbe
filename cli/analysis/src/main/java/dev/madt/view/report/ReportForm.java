package dev.madt.view.report;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Terminal;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * Says how a report is to look.
 *
 * @param top rows at most; 0: all
 * @param format a word of {@link #FORMATS}
 * @param width characters in a line of text, or {@link TextTable#WIDE}
 * @param order null: hottest first
 * @param columns the headings of the columns that are wanted, or null for the usual ones
 */
public record ReportForm(
        List<ReportKey> keys,
        int top,
        String format,
        int width,
        RowOrder order,
        List<String> columns) {
    public static final List<String> FORMATS = List.of("text", "csv", "json");

    /** Adds the options but for the key. */
    public static Options addTo(Options options) {
        return options.addOption(Option.builder()
                        .longOpt("top")
                        .hasArg()
                        .argName("N")
                        .desc("show only the hottest N rows")
                        .get())
                .addOption(Option.builder()
                        .longOpt("wide")
                        .desc("show all columns, at full length")
                        .get())
                .addOption(Option.builder()
                        .longOpt("format")
                        .hasArg()
                        .argName("FORMAT")
                        .desc("text (default), csv or json")
                        .get());
    }

    /** One of {@link #FORMATS}. */
    public static String format(CommandLine line) throws Failure {
        return Choice.format(line, FORMATS);
    }

    /** Returns how a table is to look that is no report by keys, but has these columns. */
    public static ReportForm ofColumns(CommandLine line, List<String> all) throws Failure {
        String sort = line.getOptionValue("sort");
        String columns = line.getOptionValue("columns");
        return new ReportForm(
                List.of(),
                (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0)),
                format(line),
                width(line, "by"),
                sort == null ? null : RowOrder.ofColumns(sort, all),
                columns == null ? null : Columns.several("columns", columns, all));
    }

    /** @param keyOption which option tells the keys; the default is by symbol */
    public static ReportForm of(CommandLine line, String keyOption) throws Failure {
        return of(line, keyOption, line.getOptionValue(keyOption, ReportKey.SYMBOL.word()));
    }

    /** As above, of one table among several: {@code by} tells its keys. */
    public static ReportForm of(CommandLine line, String keyOption, String by) throws Failure {
        boolean members = line.hasOption("fields");
        List<ReportKey> keys = ReportKey.several(keyOption, by);
        keys = members ? ReportKey.withData(keys) : keys;
        String sort = line.getOptionValue("sort");
        String columns = line.getOptionValue("columns");
        return new ReportForm(
                keys,
                (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0)),
                keyOption.equals("by")
                        ? format(line)
                        : Choice.of(line, "format", FORMATS, "text"), // -o names the trace
                width(line, keyOption),
                sort == null ? null : RowOrder.of(sort, keys),
                columns == null
                        ? null
                        : Columns.several(
                                "columns",
                                columns,
                                ReportTable.columns(keys, line.hasOption("patterns"), members)));
    }

    /** A file, which -o of madt run does not name, has the usual width. */
    private static int width(CommandLine line, String keyOption) {
        boolean toFile =
                keyOption.equals("by") && !line.getOptionValue("output", "-").equals("-");
        return line.hasOption("wide")
                ? TextTable.WIDE
                : toFile ? Terminal.USUAL_WIDTH : Terminal.width();
    }

    /** Returns how it is to look where a text has so many rows unless it is said how many. */
    public ReportForm usually(int rows) {
        return top > 0 || !format.equals("text")
                ? this
                : new ReportForm(keys, rows, format, width, order, columns);
    }

    /** The first key. */
    public ReportKey key() {
        return keys.get(0);
    }

    /** The rows of a table that are wanted, in the order that is wanted. */
    Table of(Table all) {
        Table rows = order == null ? all : order.of(all, top);
        return columns == null ? rows : rows.only(columns);
    }
}
