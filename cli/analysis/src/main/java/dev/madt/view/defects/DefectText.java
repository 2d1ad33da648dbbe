package dev.madt.view.defects;

import dev.madt.console.Numbers;
import java.util.List;

/** Defects as paragraphs for people. */
public final class DefectText {
    private static final String BOLD = "\033[1m";
    private static final String OFF = "\033[0m";
    /** Stands in the place of "No defect" where nobody could have seen one. */
    static final String BLIND = "No accesses to look at";

    private final StringBuilder text = new StringBuilder();
    private final boolean coloured;

    private DefectText(boolean coloured) {
        this.coloured = coloured;
    }

    /**
     * The defects of a trace.
     *
     * @param trace what it is called; empty where it is the only one
     * @param top defects at most; 0: all
     * @param blind whether there was no access to a block to be looked at
     */
    static String of(String trace, List<Defect> defects, int top, boolean coloured, boolean blind) {
        DefectText text = new DefectText(coloured);
        text.text.append(trace.isEmpty() ? "" : trace + ": ");
        text.heading(defects, blind);
        int shown = top > 0 ? Math.min(top, defects.size()) : defects.size();
        for (int i = 0; i < shown; i++) {
            text.paragraph(i + 1, defects.get(i));
        }
        if (shown < defects.size()) {
            text.text
                    .append("\n… ")
                    .append(Numbers.grouped(defects.size() - shown))
                    .append(" more\n");
        }
        return text.text.toString();
    }

    private void heading(List<Defect> defects, boolean blind) {
        long alive = defects.stream()
                .filter(defect -> defect.first.kind() == DefectKind.NEVER_FREED)
                .count();
        long guesses = defects.stream().filter(Defect::guess).count();
        long certain = defects.size() - alive - guesses;
        String none = blind ? BLIND : "No defect";
        text.append(certain == 0 ? none : Numbers.counted(certain, "defect", "defects"));
        if (guesses > 0) {
            text.append(certain == 0 && !blind ? " beyond doubt, " : ", ")
                    .append(Numbers.counted(guesses, "guess", "guesses"));
        }
        if (alive > 0) {
            text.append(", ")
                    .append(Numbers.counted(
                            alive,
                            "call whose blocks are never freed",
                            "calls whose blocks are never freed"));
        }
        text.append(".\n");
    }

    private void paragraph(int number, Defect defect) {
        String told = (defect.guess() ? "a guess: " : "") + sentence(defect);
        String sentence = number + ". " + Character.toUpperCase(told.charAt(0)) + told.substring(1);
        text.append('\n').append(coloured ? BOLD + sentence + OFF : sentence).append('\n');
        boolean alive = defect.first.kind() == DefectKind.NEVER_FREED;
        if (!alive) {
            line("by", Defect.described(defect.first.code()));
            calls(defect.calls());
        }
        if (defect.allocated() != null) {
            line("allocated", Defect.described(defect.allocated()));
            calls(defect.allocatedCalls());
            int others = defect.otherChains();
            if (others > 0) {
                line(
                        "",
                        "and by " + Numbers.counted(others, "other chain", "other chains")
                                + " of calls");
            }
        }
        if (defect.ended() != null) {
            line("ended", Defect.described(defect.ended()));
            calls(defect.endedCalls());
        }
        if (defect.guess()) {
            line("doubt", defect.first.guess());
        }
        lines("before", alive ? List.of() : defect.history.before());
    }

    /** Calls that led to what the line in front tells. */
    private void calls(List<String> calls) {
        lines("called by", calls);
    }

    private void lines(String label, List<String> told) {
        for (int i = 0; i < told.size(); i++) {
            line(i == 0 ? label : "", told.get(i));
        }
    }

    private void line(String what, String told) {
        text.append(String.format("     %-9s  %s%n", what, told));
    }

    private static String sentence(Defect defect) {
        Defect.Case first = defect.first;
        String block = defect.block
                + (defect.blockSize() < 0
                        ? ""
                        : " (" + Numbers.counted(defect.blockSize(), "byte", "bytes") + ")");
        String bytes = Numbers.counted(first.length(), "byte", "bytes");
        String or = defect.alternative();
        String times = (or == null ? "" : "; or " + or)
                + (defect.count() == 1 ? "" : "; " + Numbers.grouped(defect.count()) + " times");
        boolean sized =
                first.length() > 0; // that of the access which a process ends by is not known
        String access = action(first.letter()) + (sized ? " of " + bytes : "");
        return switch (first.kind()) {
            case AFTER_FREE ->
                access + " at offset " + first.offset() + " of " + block + ", after its end"
                        + times;
            case AFTER_REALLOC ->
                access + " at offset " + first.offset() + " of " + block
                        + ", which realloc has replaced" + times;
            case OVERLAP ->
                "copy of " + bytes + " to offset " + first.offset() + " of " + block
                        + ", which overlaps its source" + times;
            case MISMATCHED ->
                action(first.letter()) + " of " + block + ", which another function has to free"
                        + " (free after malloc, delete after new, delete[] after new[])" + times;
            case BEYOND ->
                access + " at offset " + first.offset() + " of " + block + ", " + distance(defect)
                        + " beyond its end" + times;
            case BEFORE -> access + ", " + distance(defect) + " before " + block + times;
            case NEIGHBOUR ->
                access + ", " + distance(defect) + " beyond the end of " + block
                        + ", into a neighbour" + times;
            case DOUBLE_FREE -> "free of " + block + ", which has been freed before" + times;
            case INVALID_FREE ->
                action(first.letter()) + " of "
                        + (first.offset() == 0 ? block : defect.block + "+" + first.offset())
                        + ", where no block begins" + times;
            case REALLOC_FREED -> "realloc of " + block + ", which has been freed before" + times;
            case UNINITIALISED ->
                access + (defect.blockSize() < 0 ? "" : " at offset " + first.offset()) + " of "
                        + block + ", which nobody has written"
                        + (defect.blockSize() < 0 ? " since the function was called" : "")
                        + times;
            case NEVER_FREED ->
                Numbers.counted(defect.count(), "block", "blocks") + " of " + defect.block + ", "
                        + Numbers.counted(defect.bytes(), "byte", "bytes")
                        + (defect.count() == 1 ? ", is" : " in all, are") + " never freed";
        };
    }

    private static String distance(Defect defect) {
        return Numbers.counted(defect.distance(), "byte", "bytes");
    }

    private static String action(char letter) {
        return switch (letter) {
            case 'S' -> "store";
            case 'W' -> "bulk store";
            case 'G' -> "bulk fetch";
            case 'Y' -> "copy";
            case 'F' -> "free";
            case 'R' -> "realloc";
            default -> "load";
        };
    }
}
