package dev.madt.view.report;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns of a table as they are asked for: by their headings, or by their keys in CSV and JSON.
 */
final class Columns {
    private Columns() {}

    /**
     * The heading of a column.
     *
     * @throws Failure if there is no such column
     */
    static String of(String option, String asked, List<String> headings) throws Failure {
        for (String heading : headings) {
            if (Table.key(heading).equals(asked.replace('-', '_')) || heading.equals(asked)) {
                return heading;
            }
        }
        List<String> keys = headings.stream().map(Table::key).toList();
        throw new Failure(
                Status.USAGE,
                "--" + option + " is one of " + String.join(", ", keys) + ", not '" + asked + "'."
                        + Suggestion.sentence(asked, keys));
    }

    /** The headings of several columns, with commas between them, in their order. */
    static List<String> several(String option, String asked, List<String> headings) throws Failure {
        List<String> columns = new ArrayList<>();
        for (String column : asked.split(",", -1)) {
            columns.add(of(option, column.strip(), headings));
        }
        return columns.stream().distinct().toList();
    }
}
