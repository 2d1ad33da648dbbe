package dev.madt.view.report;

import dev.madt.console.Numbers;
import java.util.List;

/** A report as it is written. */
public final class ReportText {
    private static final int DEFECTS_SHOWN = 20;

    private ReportText() {}

    /** @param traces what the traces are called that the report is about */
    public static String render(Report report, ReportForm form, List<String> traces, boolean coloured) {
        Table rows = form.order() == null ? report.table(form.top()) : form.order().of(report.table(0), form.top());
        Table defects = report.defectTable();
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" -> JsonTable.render(traces, rows, defects);
            default -> new TextTable(coloured).render(rows) + text(report, defects, coloured);
        };
    }

    /** The blocks that are alive at the end, of a report by site. */
    public static String leaks(Report report, ReportForm form, List<String> traces, boolean coloured) {
        Table rows = LeakTable.of(report, form.top());
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" -> JsonTable.render(traces, rows);
            default -> rows.rows().isEmpty() ? "No block is alive at the end.\n" : new TextTable(coloured).render(rows);
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
