package dev.madt.view.defects;

import dev.madt.view.Place;
import dev.madt.view.toolkit.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Defects as rows for programs. */
public final class DefectTable {
    private DefectTable() {}

    /**
     * One table for several traces.
     *
     * @param top rows at most of a trace; 0: all
     */
    public static Table of(Map<Path, List<Defect>> traces, int top) {
        Table table = new Table(
                "defects",
                List.of(
                        "trace",
                        "kind",
                        "certain",
                        "cases",
                        "event",
                        "first",
                        "thread",
                        "block",
                        "block size",
                        "offset",
                        "bytes",
                        "beyond",
                        "by",
                        "line",
                        "calls",
                        "allocated by",
                        "allocated at",
                        "allocating calls",
                        "ended by",
                        "ended at",
                        "ending calls",
                        "doubt",
                        "before",
                        "or"));
        traces.forEach((trace, defects) -> add(
                table,
                trace.toString(),
                top > 0 && top < defects.size() ? defects.subList(0, top) : defects));
        return table;
    }

    private static void add(Table table, String trace, List<Defect> defects) {
        for (Defect defect : defects) {
            Defect.Case first = defect.first;
            boolean alive = first.kind() == DefectKind.NEVER_FREED;
            table.row(
                    trace,
                    first.kind().word(),
                    defect.guess() ? "no" : "yes",
                    defect.count(),
                    alive ? null : String.valueOf(first.letter()),
                    alive ? null : first.number(),
                    alive ? null : (long) first.thread(),
                    defect.block,
                    alive || defect.blockSize() < 0 ? null : defect.blockSize(),
                    alive ? null : first.offset(),
                    alive ? defect.bytes() : first.length(),
                    defect.distance() == 0 ? null : defect.distance(),
                    alive ? null : first.code().ownName(),
                    alive ? null : line(first.code()),
                    alive ? null : joined(defect.calls()),
                    name(defect.allocated()),
                    line(defect.allocated()),
                    joined(defect.allocatedCalls()),
                    name(defect.ended()),
                    line(defect.ended()),
                    joined(defect.endedCalls()),
                    first.guess(),
                    alive ? null : joined(defect.history.before()),
                    defect.alternative());
        }
    }

    private static String joined(List<String> told) {
        return told.isEmpty() ? null : String.join("; ", told);
    }

    private static String name(Place place) {
        return place == null ? null : place.ownName();
    }

    private static String line(Place place) {
        return place == null || place.ownLine().isEmpty() ? null : place.ownLine();
    }
}
