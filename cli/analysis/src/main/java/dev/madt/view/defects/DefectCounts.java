package dev.madt.view.defects;

import dev.madt.console.Numbers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Defects in a few words: {@code 3 accesses to freed blocks, 1 access beyond a block}. */
public final class DefectCounts {
    private DefectCounts() {}

    /**
     * Returns what is beyond doubt, by kind; empty if nothing is. Memory that is never freed does
     * not count.
     */
    public static String of(List<Defect> defects) {
        Map<DefectKind, Long> cases = new EnumMap<>(DefectKind.class);
        for (Defect defect : defects) {
            if (!defect.guess() && defect.first.kind() != DefectKind.NEVER_FREED) {
                cases.merge(defect.first.kind(), defect.count(), Long::sum);
            }
        }
        return cases.entrySet().stream()
                .map(kind -> words(kind.getKey(), kind.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String words(DefectKind kind, long cases) {
        return switch (kind) {
            case AFTER_FREE ->
                Numbers.counted(cases, "access to a freed block", "accesses to freed blocks");
            case AFTER_REALLOC ->
                Numbers.counted(
                        cases,
                        "access to a block that realloc took",
                        "accesses to blocks that realloc took");
            case OVERLAP ->
                Numbers.counted(cases, "copy onto its own source", "copies onto their own source");
            case MISMATCHED ->
                Numbers.counted(
                        cases,
                        "block freed by the wrong function",
                        "blocks freed by the wrong function");
            case BEYOND ->
                Numbers.counted(cases, "access beyond a block", "accesses beyond a block");
            case BEFORE ->
                Numbers.counted(
                        cases, "access in front of a block", "accesses in front of a block");
            case NEIGHBOUR ->
                Numbers.counted(cases, "access to a neighbour", "accesses to a neighbour");
            case DOUBLE_FREE -> Numbers.counted(cases, "block freed twice", "blocks freed twice");
            case INVALID_FREE ->
                Numbers.counted(cases, "free of what is no block", "frees of what is no block");
            case REALLOC_FREED ->
                Numbers.counted(
                        cases, "freed block given to realloc", "freed blocks given to realloc");
            case UNINITIALISED ->
                Numbers.counted(
                        cases,
                        "use of bytes that nobody has written",
                        "uses of bytes that nobody has written");
            case NEVER_FREED -> Numbers.counted(cases, "block never freed", "blocks never freed");
        };
    }
}
