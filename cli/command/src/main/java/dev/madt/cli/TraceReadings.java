package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Reading;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.commons.cli.CommandLine;

/** Traces that a command reads one after the other, each in one pass for all of its analyses. */
final class TraceReadings {
    /** Adds the analyses of a trace to its reading. */
    interface Analyses {
        /** @param types learns what the trace knows of types */
        void addTo(Reading reading, MemberTypes types);
    }

    private final List<Path> files;
    private final Selection selection;
    private final Demangler names;
    private final List<Reading> readings = new ArrayList<>();

    TraceReadings(List<Path> files, Selection selection, Demangler names) {
        this.files = files;
        this.selection = selection;
        this.names = names;
    }

    TraceReadings(Path file, Selection selection, Demangler names) {
        this(List.of(file), selection, names);
    }

    /**
     * Reads all traces.
     *
     * @return the exit status if all else goes well
     */
    int read(Analyses analyses, CommandLine line, Messages messages) throws Failure, IOException {
        int status = Status.DONE;
        for (Path file : files) {
            status = Math.max(status, read(file, new MemberTypes(), analyses, line, messages));
        }
        return status;
    }

    /** As above; what all traces know of types goes to the same place, unless it is null. */
    int read(MemberTypes types, Consumer<Reading> analyses, CommandLine line, Messages messages)
            throws Failure, IOException {
        int status = Status.DONE;
        for (Path file : files) {
            status = Math.max(
                    status,
                    read(file, types, (reading, same) -> analyses.accept(reading), line, messages));
        }
        return status;
    }

    private int read(
            Path file, MemberTypes types, Analyses analyses, CommandLine line, Messages messages)
            throws Failure, IOException {
        Reading reading = new Reading(selection).charging(SelectionOptions.ownSource(line));
        analyses.addTo(reading, types);
        int status = TraceReading.read(file, reading.consumer(names, types), line, messages);
        readings.add(reading);
        return status;
    }

    /** The first trace, by which all are called. */
    Path first() {
        return files.get(0);
    }

    /** Whether all traces hold calls, and nothing of accesses. */
    boolean haveOnlyCalls() {
        return readings.stream().allMatch(Reading::hasOnlyCalls);
    }

    /** Fails unless one of the traces has source lines. */
    void checkSources() throws Failure {
        if (readings.stream().noneMatch(Reading::hasSources)) {
            throw new Failure(
                    Status.FAILED,
                    files.get(0)
                            + " has no source lines. Compile the program with -g, or use --by"
                            + " function.");
        }
    }

    /** Accesses and bulk transfers that were selected. */
    long given() {
        return views().stream().mapToLong(SelectedView::given).sum();
    }

    private List<SelectedView> views() {
        return readings.stream().map(Reading::selected).filter(Objects::nonNull).toList();
    }

    /** Says how much of accesses was selected, unless everything was or calls alone are counted. */
    void tellSelected(Messages messages) {
        List<SelectedView> views = views();
        if (!selection.isEverything() && !views.isEmpty()) {
            SelectionOptions.tell(selection, views, files, messages);
        }
    }
}
