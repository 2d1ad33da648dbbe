package dev.madt.view.hottest;

import dev.madt.console.Numbers;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The hottest data and code as a line each: {@code 68.5 % <malloc@main+272> (Order?, shop.cpp:18),
 * 5.1 % book}.
 */
public final class HottestText {
    private static final int MOST = 3;
    private static final int LONGEST_NAME = 36;
    private static final int LONGEST_NOTE = 30;
    /** Less than this is not hot. */
    private static final double LEAST_SHARE = 0.001;

    private HottestText() {}

    /** Variables, and blocks by the call that allocated them. */
    public static String data(HotView view) {
        return text(view.hottestData(MOST), view.accesses());
    }

    /** Functions. */
    public static String code(HotView view) {
        return text(view.hottestCode(MOST), view.accesses());
    }

    private static String text(List<HotName> names, long all) {
        return names.stream()
                .filter(name -> name.accesses() >= LEAST_SHARE * all)
                .map(name -> text(name, all))
                .collect(Collectors.joining(", "));
    }

    private static String text(HotName name, long all) {
        String note = name.note.isEmpty()
                ? ""
                : " (" + TextTable.shortened(name.note, LONGEST_NOTE) + ")";
        return Numbers.percent(100.0 * name.accesses() / all)
                + " "
                + TextTable.shortened(name.name, LONGEST_NAME)
                + note;
    }
}
