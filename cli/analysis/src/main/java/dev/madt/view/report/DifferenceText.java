package dev.madt.view.report;

import dev.madt.console.Numbers;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.List;

/** A comparison of two traces as it is written. */
public final class DifferenceText {
    private DifferenceText() {}

    /**
     * In one of {@link ReportForm#FORMATS}.
     *
     * @param before what the first trace is called
     * @param after what the second is called
     */
    public static String render(
            Difference difference,
            Measure measure,
            ReportForm form,
            String before,
            String after,
            boolean coloured) {
        Table rows = difference.table(form.top());
        return switch (form.format()) {
            case "csv" -> CsvTable.render(rows);
            case "json" ->
                JsonTable.render(
                        List.of(before, after),
                        new Table("compared", List.of("measure")).row(measure.word()),
                        rows);
            default ->
                text(
                        difference,
                        measure,
                        rows,
                        before,
                        after,
                        new TextTable(coloured, form.width()));
        };
    }

    private static String text(
            Difference difference,
            Measure measure,
            Table rows,
            String before,
            String after,
            TextTable form) {
        String heading = "before: " + before + "\nafter:  " + after + "\n";
        String equal = difference.equal() == 0
                ? ""
                : Numbers.counted(difference.equal(), "row", "rows") + " with equal "
                        + measure.word() + "\n";
        return rows.rows().isEmpty()
                ? heading + "no row differs in " + measure.word() + "\n" + equal
                : heading + "\n" + form.render(rows) + equal;
    }
}
