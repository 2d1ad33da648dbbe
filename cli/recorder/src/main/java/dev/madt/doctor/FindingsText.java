package dev.madt.doctor;

import dev.madt.view.toolkit.JsonText;
import java.util.List;
import java.util.StringJoiner;

/** Findings for people, and as JSON for scripts. */
public final class FindingsText {
    private static final int WIDTH = 80;
    private static final String INDENT = " ".repeat(11);

    private FindingsText() {}

    /** A line for each finding, its remedy below it, and the conclusion. */
    public static String text(List<Finding> findings) {
        int longest = findings.stream()
                .mapToInt(finding -> finding.what().length())
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(String.format("%-9s", finding.grade().word()))
                    .append(finding.what())
                    .append(" ".repeat(longest - finding.what().length() + 2))
                    .append(finding.found())
                    .append('\n');
            if (finding.remedy() != null) {
                wrap(text, finding.remedy());
            }
        }
        return text.append(conclusion(findings)).append('\n').toString();
    }

    private static String conclusion(List<Finding> findings) {
        if (!Examination.passed(findings)) {
            return "This machine cannot record.";
        }
        boolean warned = findings.stream().anyMatch(finding -> finding.grade() == Grade.WARNING);
        return warned
                ? "This machine can record, with the limits above."
                : "This machine can record.";
    }

    private static void wrap(StringBuilder text, String remedy) {
        StringBuilder line = new StringBuilder(INDENT);
        for (String word : remedy.split(" ")) {
            if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line.setLength(INDENT.length());
            }
            line.append(line.length() > INDENT.length() ? " " : "").append(word);
        }
        text.append(line).append('\n');
    }

    /**
     * {@code can_record} and {@code findings}: each with {@code what}, {@code state}, {@code found}
     * and, where something is to be done, {@code remedy}.
     */
    public static String json(List<Finding> findings) {
        StringJoiner rows = new StringJoiner(",\n  ", "[\n  ", "\n]");
        for (Finding finding : findings) {
            StringJoiner row = new StringJoiner(", ", "{", "}");
            row.add("\"what\": " + JsonText.quoted(finding.what()));
            row.add("\"state\": " + JsonText.quoted(finding.grade().word()));
            row.add("\"found\": " + JsonText.quoted(finding.found()));
            if (finding.remedy() != null) {
                row.add("\"remedy\": " + JsonText.quoted(finding.remedy()));
            }
            rows.add(row.toString());
        }
        return "{\n\"can_record\": " + Examination.passed(findings) + ",\n\"findings\": " + rows
                + "\n}\n";
    }
}
