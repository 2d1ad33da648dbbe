package dev.madt.view.hottest;

import dev.madt.console.Numbers;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.Objects;
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

    /**
     * Variables, and blocks by the call that allocated them.
     *
     * @param names what symbols were given to while the trace was read
     */
    public static String data(HotView view, LateNames names) {
        return text(view.hottestData(MOST), view, names);
    }

    /** As above, of functions. */
    public static String code(HotView view, LateNames names) {
        return text(view.hottestCode(MOST), view, names);
    }

    private static String text(List<HotName> hottest, HotView view, LateNames names) {
        Demangler shown = names.book(
                view.program(),
                hottest.stream().map(HotName::symbol).filter(Objects::nonNull).toList());
        List<HotName> hot = hottest.stream()
                .filter(name -> name.accesses() >= LEAST_SHARE * view.accesses())
                .toList();
        return hot.stream()
                .map(name -> Numbers.percent(100.0 * name.accesses() / view.accesses()) + " "
                        + told(name, hot, shown))
                .collect(Collectors.joining(", "));
    }

    /** Returns a name with what tells it from others that would look the same. */
    private static String told(HotName name, List<HotName> hot, Demangler names) {
        String text = text(name, names);
        List<HotName> alike =
                hot.stream().filter(other -> text(other, names).equals(text)).toList();
        if (alike.size() == 1) {
            return text;
        }
        String note = note(name, name.shown(names));
        if (alike.stream().allMatch(other -> other.region.equals(name.region))) {
            return text(name.shown(names), note);
        }
        return text(name.shown(names), note + (note.isEmpty() ? "" : ", ") + name.region);
    }

    private static String text(HotName name, Demangler names) {
        String shown = name.shown(names);
        return text(TextTable.shortened(shown, LONGEST_NAME), note(name, shown));
    }

    private static String text(String name, String note) {
        return note.isEmpty() ? name : name + " (" + note + ")";
    }

    private static String note(HotName name, String shown) {
        boolean told = name.note.isEmpty() || shown.startsWith(NameBook.module(name.note) + ":");
        return told ? "" : TextTable.shortened(name.note, LONGEST_NOTE);
    }
}
