package dev.madt.view.defects;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The defects of a trace: cases of one kind, by one instruction, of blocks of one call and one end,
 * are one.
 */
public final class FoundDefects {
    /** Enough to find bugs by; what comes behind is only counted. */
    private static final int MOST = 10_000;

    private record Key(
            DefectKind kind,
            String code,
            char letter,
            String allocated,
            String ended,
            String data,
            boolean guess) {}

    private final Map<Key, Defect> found = new LinkedHashMap<>();
    private final Set<DefectKind> wanted;
    private final DefectNotes notes;
    private long untold;
    private Crash crash;

    FoundDefects(Set<DefectKind> wanted, DefectNotes notes) {
        this.notes = notes;
        this.wanted = wanted;
    }

    void add(Defect.Case each, Supplier<Defect.History> history) {
        add(each, 1, history);
    }

    /** Adds so many cases, of which the first is told and holds the bytes of all. */
    void add(Defect.Case each, long cases, Supplier<Defect.History> history) {
        if (!wanted.contains(each.kind())) {
            return;
        }
        String ended =
                each.block().endCall() == null ? null : each.block().endCall().name();
        String allocated =
                each.block().call() == null ? null : each.block().shownCall().siteName();
        String data = each.block().block() == null ? each.block().name() : null;
        Key key = new Key(
                each.kind(),
                each.code().name(),
                each.letter(),
                allocated,
                ended,
                data,
                each.guess() != null);
        Defect known = found.get(key);
        if (known != null) {
            known.more(cases, each.length());
        } else if (found.size() == MOST) {
            untold++;
        } else {
            Defect defect = new Defect(each, history.get(), notes);
            defect.more(cases - 1, 0);
            found.put(key, defect);
        }
    }

    /**
     * In the order of their kinds, what is beyond doubt first; of one kind in the order of the
     * trace, and what is never freed by its bytes.
     */
    public List<Defect> sorted() {
        List<Defect> sorted = new ArrayList<>(found.values());
        sorted.sort(Comparator.comparing(
                        (Defect defect) -> defect.first.kind() == DefectKind.NEVER_FREED)
                .thenComparing(Defect::guess)
                .thenComparing(defect -> defect.first.kind())
                .thenComparing(defect ->
                        defect.first.kind() == DefectKind.NEVER_FREED ? -defect.bytes() : 0)
                .thenComparing(defect -> defect.first.number()));
        return sorted;
    }

    void crash(Crash last) {
        crash = last;
    }

    /** Returns the access that the process ended by; null if it did not, or that is not known. */
    public Crash crash() {
        return crash;
    }

    boolean wants(DefectKind kind) {
        return wanted.contains(kind);
    }

    /** Forgets the defects of a kind. */
    void drop(DefectKind kind) {
        found.keySet().removeIf(key -> key.kind() == kind);
    }

    Collection<Defect> all() {
        return found.values();
    }

    /** Cases of further defects, which were not kept. */
    public long untold() {
        return untold;
    }

    /** Returns whether there is a bug beyond doubt; memory that is never freed need not be one. */
    public boolean anyCertain() {
        return found.values().stream()
                .anyMatch(
                        defect -> !defect.guess() && defect.first.kind() != DefectKind.NEVER_FREED);
    }
}
