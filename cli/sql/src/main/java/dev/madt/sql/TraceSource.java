package dev.madt.sql;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Analysis;
import dev.madt.view.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The traces that queries are about, and how they are read. Used by several threads. */
public interface TraceSource {
    /** The traces, in the order in which tables have them. */
    List<Path> files();

    /** Names of the arguments by which tables select events, as the options of commands do. */
    List<String> selectors();

    /**
     * Returns what arguments of a table select.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    Selection selection(Map<String, String> arguments);

    /** Returns what a trace says of itself; nothing if its end cannot be read. */
    Map<String, String> meta(Path file) throws IOException;

    /**
     * Hears that a table has no row of what was selected, so that it can say where nothing of that
     * kind was recorded.
     */
    void tellEmpty(String table) throws IOException;

    /**
     * Reads a trace. An {@link dev.madt.view.convert.EventList} is told of calls, too.
     *
     * @param named whether the names or types of blocks matter to the analysis
     * @param calls whether all calls matter to it, also in front of what is selected
     * @param analysis makes the one who is told, given what learns of types
     * @param enough says when nothing more is needed
     */
    void read(
            Path file,
            Selection selection,
            boolean named,
            boolean calls,
            Function<MemberTypes, Analysis> analysis,
            BooleanSupplier enough)
            throws IOException;
}
