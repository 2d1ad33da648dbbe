package dev.madt.view.defects;

import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The defects of several traces, and what was not looked for in them. */
public final class DefectReport {
    private static final int MOST_NAMES = 4;

    private final Map<Path, List<Defect>> defects = new LinkedHashMap<>();
    private final Set<String> unlooked = new LinkedHashSet<>();
    private final List<Path> withoutHeap = new ArrayList<>();
    private final List<Path> ofGo = new ArrayList<>();
    private final Map<Path, SearchLimits> limits = new LinkedHashMap<>();
    /** Tells whether a trace without heap may have an allocator that can be named. */
    private boolean otherNames;

    private boolean certain;
    /** Whoever looked for accesses beyond blocks, and found none, may not know of the rest. */
    private boolean beyond;

    /**
     * Adds what a view has found in a trace.
     *
     * @param name what the trace is called
     */
    public void add(Path name, DefectView view) {
        defects.put(name, view.found().sorted());
        certain |= view.found().anyCertain();
        beyond |= view.found().wants(DefectKind.BEYOND);
        limits.put(name, view.limits());
        if (!view.unlooked().isEmpty()) {
            unlooked.add(view.unlooked());
        }
    }

    /**
     * A trace does not know of blocks of heaps.
     *
     * @param ofGo whether that is so since Go's allocator is at work
     */
    public void lackHeap(Path name, boolean ofGo) {
        withoutHeap.add(name);
        otherNames |= !ofGo;
    }

    /** A trace has blocks of Go's allocator. */
    public void hasGo(Path name) {
        ofGo.add(name);
    }

    public boolean isEmpty() {
        return defects.values().stream().allMatch(List::isEmpty);
    }

    /** Returns what a search of which it is asked ({@code --fail}) ends with. */
    public int status() {
        boolean blind = limits.values().stream().allMatch(SearchLimits::blind);
        return certain ? Status.DEFECTS : blind ? Status.INCOMPLETE : Status.DONE;
    }

    /**
     * Says of which traces nothing could be looked at; where the report is no text, also of which
     * not all.
     */
    public void tellLimits(String format, Messages messages) {
        limits.forEach((trace, each) -> {
            if (each.blind()) {
                messages.say(trace + each.sentence());
            } else if (!format.equals("text") && !each.text().isEmpty()) {
                messages.say(trace + ": not looked for: " + each.text() + ".");
            }
        });
    }

    /**
     * The report.
     *
     * @param format one of {@code ReportForm.FORMATS}
     * @param top defects at most of each trace; 0: all
     * @param brief whether traces without a defect share a line of text
     */
    public String render(String format, int top, boolean coloured, boolean brief) {
        return switch (format) {
            case "csv" -> CsvTable.render(DefectTable.of(defects, top));
            case "json" ->
                JsonTable.render(
                        defects.keySet().stream().map(Path::toString).toList(),
                        DefectTable.of(defects, top));
            default -> text(top, coloured, brief);
        };
    }

    private String text(int top, boolean coloured, boolean brief) {
        boolean several = defects.size() > 1;
        Map<Boolean, List<Path>> sound = defects.keySet().stream()
                .filter(trace -> brief && several && defects.get(trace).isEmpty())
                .collect(Collectors.partitioningBy(trace -> limits.get(trace).blind()));
        StringBuilder text = new StringBuilder();
        defects.forEach((trace, found) -> {
            boolean blind = limits.get(trace).blind();
            if (!sound.get(blind).contains(trace)) {
                text.append(text.isEmpty() ? "" : "\n");
                text.append(DefectText.of(
                        several ? trace.toString() : "", found, top, coloured, blind));
            }
        });
        sound.forEach((blind, traces) -> {
            if (!traces.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n");
                text.append(blind ? DefectText.BLIND : "No defect");
                text.append(" in ").append(names(traces)).append(".\n");
            }
        });
        List<String> all = new ArrayList<>(unlooked);
        if (!withoutHeap.isEmpty()) {
            all.add("what is wrong with blocks" + (several ? " in " + names(withoutHeap) : "")
                    + ", since no call of malloc or the like was recorded ("
                    + (otherNames
                            ? "an allocator by other names needs madt run --alloc)"
                            : "Go's allocator cannot be followed)"));
        }
        if (!ofGo.isEmpty()) {
            all.add("what is wrong with Go's blocks" + (several ? " in " + names(ofGo) : "")
                    + " (its collector ends them, and does not say when)");
        }
        if (!all.isEmpty()) {
            text.append("\nNot looked for: ");
            text.append(String.join("; ", all)).append(".\n");
        }
        if (beyond && defects.values().stream().allMatch(DefectReport::isOfUnfreed)) {
            text.append(all.isEmpty() ? "\nNot looked for: " : "Nor: ")
                    .append("accesses beyond arrays that are variables, on stacks or global;")
                    .append(" strings without an end that strlen and the like read beyond their")
                    .append(" block.\n");
        }
        return text.toString();
    }

    private static boolean isOfUnfreed(List<Defect> found) {
        return found.stream().allMatch(each -> each.first.kind() == DefectKind.NEVER_FREED);
    }

    private static String names(List<Path> traces) {
        String named = traces.stream()
                .limit(MOST_NAMES)
                .map(Path::toString)
                .collect(Collectors.joining(", "));
        return traces.size() > MOST_NAMES
                ? named + " and " + (traces.size() - MOST_NAMES) + " more"
                : named;
    }
}
