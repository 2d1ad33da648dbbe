package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.resolver.line.CodeRanges;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.CallChain;
import dev.madt.view.NameGatherer;
import dev.madt.view.Reading;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import dev.madt.view.chains.SiteOptions;
import dev.madt.view.chains.WrapperJudge;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.commons.cli.CommandLine;

/** Traces that a command reads one after the other, each in one pass for all of its analyses. */
final class TraceReadings {
    /** Adds the analyses of a trace to its reading. */
    interface Analyses {
        /** @param types learns what the trace knows of types */
        void addTo(Reading reading, MemberTypes types);
    }

    private static final String WITHOUT_HEAP =
            " has no call of malloc or the like, so nothing is known of blocks";

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
        Reading reading = new Reading(selection)
                .charging(SelectionOptions.ownSource(line))
                .naming(sites(file, line));
        analyses.addTo(reading, types);
        EventConsumer consumer = reading.consumer(names, types);
        int status = TraceReading.read(
                file, consumer, 0, wanted(file, reading, names), () -> false, line, messages);
        readings.add(reading);
        return status;
    }

    /**
     * Returns which sites somebody wants accesses of, as far as the names of a trace tell that in
     * front of its events: those of a trace that is whole, so that no others can come.
     *
     * @param names those of the reading
     */
    static Predicate<AccessSite> wanted(Path file, Reading reading, Demangler names) {
        CodeRanges code = Files.isRegularFile(file) ? reading.code(names) : null;
        return code == null || !gather(file, code) || code.hasFrames() || code.isEmpty()
                ? site -> true
                : code::mayHold;
    }

    /** Returns what names the blocks of a trace. */
    static CallChain.SiteRule sites(Path file, CommandLine line) {
        return SiteOptions.isInner(line)
                ? CallChain.SiteRule.INNER
                : SiteOptions.of(line, wrappers(file), LineDetailOptions.spellings());
    }

    /**
     * Returns the functions of a trace that only pass on what they allocate, by its first part;
     * none if it can be read only once.
     */
    static Set<String> wrappers(Path file) {
        WrapperJudge judge = new WrapperJudge();
        if (Files.isRegularFile(file)) {
            try (TraceReader reader = new TraceReader(file)) {
                TraceEnds ends = TraceEnds.read(file);
                if (reader.hasCalls() || ends == null || ends.meta().containsKey("chain")) {
                    TraceReading.read(reader, new ViewFeed(judge), judge::enough);
                }
            } catch (IOException e) {
                return Set.of(); // is said when the trace is read
            }
        }
        return judge.wrappers();
    }

    /** Returns whether a trace has a key in its META frames, unless that cannot be known yet. */
    static boolean mayHave(Path file, String key) throws IOException {
        return mayHave(ends(file), key);
    }

    /** As above, of what {@link #ends} returns. */
    static boolean mayHave(TraceEnds ends, String key) {
        return ends == null || ends.meta().containsKey(key);
    }

    /** Returns what the end of a trace says; null if it has none, or can be read only once. */
    static TraceEnds ends(Path file) throws IOException {
        return Files.isRegularFile(file) ? TraceEnds.read(file) : null;
    }

    /** The first trace, by which all are called. */
    Path first() {
        return files.get(0);
    }

    /** Returns whether all traces hold calls, and nothing of accesses. */
    boolean haveOnlyCalls() {
        return readings.stream().allMatch(Reading::hasOnlyCalls);
    }

    /** Returns whether nothing is known of blocks of heaps, as far as everything was read. */
    boolean lackHeap() {
        return selection.to() < 0 && readings.stream().noneMatch(Reading::hasHeap);
    }

    /** Returns whether one of the traces has blocks of Go's. */
    boolean haveGoBlocks() {
        return readings.stream().anyMatch(Reading::hasGoBlocks);
    }

    /** Returns whether Go's allocator is at work in one of the traces. */
    boolean areOfGo() {
        return readings.stream().anyMatch(Reading::isOfGo);
    }

    /** Says where nothing is known of blocks of heaps. */
    void tellLack(Messages messages) {
        if (lackHeap()) {
            messages.say(first() + withoutHeap(areOfGo()));
        }
    }

    /** Returns what a trace without blocks of heaps lacks; its name stands in front. */
    static String withoutHeap(boolean ofGo) {
        return WITHOUT_HEAP
                + (ofGo
                        ? ": Go's allocator cannot be followed"
                        : ". Where the program's allocator has other names:"
                                + " madt run --alloc 'my_alloc(1)=ret,my_free(0)'");
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

    /** Returns what the options for names say of some traces; a selection learns of their names. */
    static Demangler names(
            CommandLine line, boolean readable, List<Path> files, Selection selection)
            throws Failure {
        Demangler names = LineDetailOptions.names(line, readable);
        if (names == Demangler.NONE && !selection.selectsNames()) {
            return names;
        }
        NameBook book = names(files);
        selection.know(book);
        return names == Demangler.NONE ? names : book;
    }

    /**
     * The names of some traces, which have them in common, so that each stands for one symbol. What
     * traces define is read for that in front of their events; the time does not grow with these.
     * What cannot be read has none: whoever reads the trace as a whole says why. Neither has what
     * can be read only once.
     */
    static NameBook names(List<Path> files) {
        NameBook names = LineDetailOptions.book();
        for (Path file : files) {
            if (Files.isRegularFile(file)) {
                gather(file, new NameGatherer(names));
            }
        }
        return names;
    }

    /** Gives somebody what a trace defines; returns whether that is all of it. */
    static boolean gather(Path file, EventConsumer gatherer) {
        try (TraceReader reader = new TraceReader(file)) {
            return reader.readDefinitions(new FrameSink() {
                @Override
                public void frame(Frame frame) throws TraceFormatException {
                    DefinitionPart.decode(frame, gatherer);
                }

                @Override
                public void close() {
                    // the reader does not close it
                }
            });
        } catch (IOException e) {
            return false; // is said when the trace is read
        }
    }
}
