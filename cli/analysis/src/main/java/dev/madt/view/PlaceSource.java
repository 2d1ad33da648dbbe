package dev.madt.view;

import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.SourceLevel;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The source lines of an instruction: its own, and those of the functions that its function is
 * inlined into. Files are paths as the compiler saw them; what is unknown is empty, or 0.
 */
public final class PlaceSource {
    /** Of code without debug information. */
    static final PlaceSource UNKNOWN =
            new PlaceSource(List.of(), List.of(), OwnSource.USUAL, "", path -> path);

    private final List<SourceLevel> levels;
    /** Null if there are no levels. */
    private final SourceLevel charged;

    private final SourceLevel own;
    private final UnaryOperator<String> files;
    private final boolean settled;

    /**
     * @param levels the innermost first
     * @param callers lines that call the last of them, if they are known
     * @param scope which of them are the author's
     * @param module what they are in
     * @param files what the file of a path is called
     */
    PlaceSource(
            List<SourceLevel> levels,
            List<SourceLevel> callers,
            OwnSource scope,
            String module,
            UnaryOperator<String> files) {
        this.levels = levels;
        this.files = files;
        this.charged = scope.charged(levels, callers);
        this.own = scope.own(levels, callers);
        this.settled = scope.isSettled(levels, callers) && !scope.isSystem(module);
    }

    /** The file of the instruction itself. */
    String file() {
        return levels.isEmpty() ? "" : levels.get(0).file();
    }

    /** The line of the instruction itself. */
    int line() {
        return levels.isEmpty() ? 0 : levels.get(0).line();
    }

    /** The file that the function is in, into which the instruction may be inlined. */
    String functionFile() {
        return levels.isEmpty() ? "" : levels.get(levels.size() - 1).file();
    }

    /** The file that accesses are charged to. */
    public String chargedFile() {
        return charged == null ? "" : charged.file();
    }

    /** The line that accesses are charged to. */
    public int chargedLine() {
        return charged == null ? 0 : charged.line();
    }

    /** The line that accesses are charged to, as {@code main.c:12}; {@code ?} if unknown. */
    String charged() {
        String text = text(charged);
        return text.isEmpty() ? "?" : text;
    }

    /**
     * Returns whether accesses are charged to this, rather than to a caller that is the author's.
     */
    public boolean isSettled() {
        return settled;
    }

    /** The function of a caller that accesses are charged to; empty if they are not. */
    String caller() {
        return charged == null || levels.contains(charged) ? "" : charged.function();
    }

    /** The line of the innermost level of the author's, else of the function itself. */
    String own() {
        return text(own);
    }

    /** The function of {@link #own} where that is inlined; else empty. */
    String inlined() {
        int at = own == null ? -1 : levels.indexOf(own);
        return at < 0 || at == levels.size() - 1 ? "" : own.function();
    }

    private String text(SourceLevel level) {
        if (level == null || level.line() <= 0 || level.file().isEmpty()) {
            return "";
        }
        return files.apply(level.file()) + ":" + level.line();
    }
}
