package dev.madt.view.report;

import dev.madt.console.Numbers;
import dev.madt.console.Terminal;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/** A report as it is written. */
public final class ReportText {
    private static final int DEFECTS_SHOWN = 20;
    private static final int UNTOUCHED_SHOWN = 10;

    private ReportText() {}

    /** @param traces what the traces are called that the report is about */
    public static String render(
            Report report, ReportForm form, List<String> traces, boolean coloured) {
        Table rows = form.of(report.table(form.order() == null ? form.top() : 0));
        Table defects = report.defectTable();
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" ->
                report.untouched() == null
                        ? JsonTable.render(traces, rows, defects)
                        : JsonTable.render(
                                traces, rows, defects, report.untouched().table(0));
            default ->
                table(coloured, form).render(rows)
                        + untouched(report, form, coloured)
                        + text(report, defects, form, coloured)
                        + events(report);
        };
    }

    /**
     * The blocks that are alive at the end, of a report by site.
     *
     * @param none says that there are none
     */
    public static String leaks(
            Report report, String none, ReportForm form, List<String> traces, boolean coloured) {
        Table rows = LeakTable.of(report, form.top());
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" -> JsonTable.render(traces, rows);
            default ->
                rows.rows().isEmpty()
                        ? none + "\n"
                        : new TextTable(coloured, form.width()).render(rows);
        };
    }

    /** Returns the rows that a form wants of a table. */
    public static Table rows(Table table, ReportForm form) {
        return form.of(table);
    }

    /** A table alone, in the form. */
    public static String render(
            Table table, ReportForm form, List<String> traces, boolean coloured) {
        Table rows = form.of(table);
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" -> JsonTable.render(traces, rows);
            default -> table(coloured, form).render(rows);
        };
    }

    /** The hottest rows alone have bars, which show how they compare. */
    private static TextTable table(boolean coloured, ReportForm form) {
        TextTable table = new TextTable(coloured, form.width());
        return form.top() > 0 ? table.bars(Terminal.hasBlocks()) : table;
    }

    /** Several tables, each as it is written alone: JSON has an array of them. */
    public static String several(List<String> tables, String format) {
        if (tables.size() == 1) {
            return tables.get(0);
        }
        return format.equals("json")
                ? tables.stream()
                        .map(String::strip)
                        .collect(Collectors.joining(",\n", "[\n", "\n]\n"))
                : String.join("\n", tables);
    }

    private static String untouched(Report report, ReportForm form, boolean coloured) {
        if (report.doubt() != null && report.tellsUntouched()) {
            return "\nNever accessed: unknown, since " + report.doubt() + ".\n";
        }
        UntouchedBlocks blocks = report.untouched();
        if (blocks == null || blocks.count() == 0) {
            return "";
        }
        return "\nNever accessed: " + Numbers.counted(blocks.count(), "block", "blocks") + " of "
                + Numbers.counted(blocks.bytes(), "byte", "bytes") + "\n"
                + new TextTable(coloured, form.width()).render(blocks.table(UNTOUCHED_SHOWN));
    }

    private static String events(Report report) {
        return report.events().isEmpty()
                ? ""
                : report.events().entrySet().stream()
                        .map(type -> Numbers.grouped(type.getValue()) + " " + type.getKey())
                        .collect(Collectors.joining(", ", "\nOther events: ", "\n"));
    }

    private static String text(Report report, Table defects, ReportForm form, boolean coloured) {
        if (report.deadAccesses() == 0) {
            return "";
        }
        Table shown = new Table("defects", defects.headings());
        defects.rows().stream().limit(DEFECTS_SHOWN).forEach(shown::row);
        shown.hidden(defects.rows().size() - shown.rows().size());
        String heading = "Defects: "
                + Numbers.counted(report.deadAccesses(), "access", "accesses")
                + " to blocks after their end";
        return "\n" + heading + "\n" + new TextTable(coloured, form.width()).render(shown);
    }
}
