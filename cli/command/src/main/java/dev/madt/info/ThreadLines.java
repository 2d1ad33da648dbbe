package dev.madt.info;

import dev.madt.tracker.ThreadNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The threads of a process by their names, where it has several. */
final class ThreadLines {
    private static final int MOST = 20;

    private ThreadLines() {}

    /** Returns a line for each thread, of many for the first ones, from what a trace tells. */
    static List<String> of(Map<String, String> meta) {
        ThreadNames names = new ThreadNames();
        names.take(meta.getOrDefault(ThreadNames.KEY, ""));
        List<String> labels = names.labels();
        if (labels.size() <= 1) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(labels.subList(0, Math.min(MOST, labels.size())));
        if (labels.size() > MOST) {
            lines.add("and " + (labels.size() - MOST) + " more");
        }
        return lines;
    }
}
