package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.SourceLevel;
import java.util.List;

/**
 * The source lines of an instruction: its own, and those of the functions that its function is
 * inlined into. Files are paths as the compiler saw them; what is unknown is empty, or 0. Whose
 * lines they are is decided when somebody asks, which most instructions never see.
 */
public final class PlaceSource {
    /** Of code without debug information. */
    static final PlaceSource UNKNOWN =
            new PlaceSource(List.of(), List.of(), OwnSource.USUAL, "", null);

    private final List<SourceLevel> levels;
    private final List<SourceLevel> callers;
    private final OwnSource scope;
    private final String module;
    private final AddressSpace names;
    private boolean decided;
    /**
     * Null if there are no levels, and in the libraries of C and C++: who reads the program's lines
     * is helped by the name of their function, but not by several lines of its assembly.
     */
    private SourceLevel charged;

    private SourceLevel own;

    /**
     * @param levels the innermost first; inlined functions as the linker knows them
     * @param callers lines that call the last of them, if they are known
     * @param scope which of them are the author's
     * @param module what they are in
     * @param names says what functions and files are called
     */
    PlaceSource(
            List<SourceLevel> levels,
            List<SourceLevel> callers,
            OwnSource scope,
            String module,
            AddressSpace names) {
        this.levels = levels;
        this.callers = callers;
        this.scope = scope;
        this.module = module;
        this.names = names;
    }

    private void decide() {
        if (!decided) {
            decided = true;
            charged = scope.isSystem(module) ? null : scope.charged(levels, callers);
            own = scope.own(levels, callers);
        }
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
        decide();
        return charged == null ? "" : charged.file();
    }

    /** The line that accesses are charged to. */
    public int chargedLine() {
        decide();
        return charged == null ? 0 : charged.line();
    }

    /** The line that accesses are charged to, as {@code main.c:12}; {@code ?} if unknown. */
    String charged() {
        decide();
        String text = text(charged);
        return text.isEmpty() ? "?" : text;
    }

    /**
     * Returns whether accesses are charged to this, rather than to a caller that is the author's.
     */
    public boolean isSettled() {
        return scope.isSettled(levels, callers) && !scope.isSystem(module);
    }

    /** The function of a caller that accesses are charged to; empty if they are not. */
    String caller() {
        decide();
        return charged == null || levels.contains(charged) ? "" : function(charged);
    }

    /** The line of the innermost level of the author's, else of the function itself. */
    String own() {
        decide();
        return text(own);
    }

    /**
     * The innermost line, whosever it is, if no other function's can be meant; else {@link #own}.
     *
     * @param apart whether the levels around it are told by themselves
     */
    String innermost(boolean apart) {
        return !levels.isEmpty() && (apart || levels.size() == 1) ? text(levels.get(0)) : own();
    }

    /** The function of {@link #own} where that is inlined; else empty. */
    String inlined() {
        decide();
        int at = own == null ? -1 : levels.indexOf(own);
        return at < 0 || at == levels.size() - 1 ? "" : function(own);
    }

    /** The linker's name of the function that the instruction is of by inlining; or empty. */
    String innermost() {
        return levels.isEmpty() ? "" : levels.get(0).function();
    }

    /** Functions that are inlined have names as symbols have. */
    private String function(SourceLevel level) {
        return level.function().isEmpty() ? "" : names.named(level.function());
    }

    private String text(SourceLevel level) {
        if (level == null || level.line() <= 0 || level.file().isEmpty()) {
            return "";
        }
        return names.file(level.file()) + ":" + level.line();
    }
}
