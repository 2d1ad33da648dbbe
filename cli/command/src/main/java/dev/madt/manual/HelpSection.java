package dev.madt.manual;

import java.util.ArrayList;
import java.util.List;

/**
 * Options that the help of a command shows together.
 *
 * @param options their long names, in this order
 */
public record HelpSection(String title, List<String> options) {
    public static HelpSection of(String title, String... options) {
        return new HelpSection(title, List.of(options));
    }

    /** The same with more options. */
    public HelpSection and(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new HelpSection(title, List.copyOf(all));
    }
}
