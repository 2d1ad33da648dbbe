package dev.madt.collector;

import dev.madt.console.OutputName;
import dev.madt.modules.UnrecordedCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Says how the trace of one process came out: what the summary says of it, when all else of the
 * process is gone.
 *
 * @param file null without a trace file
 * @param acquisitions locks that threads got, and units of semaphores
 * @param paused nanoseconds that its threads waited for MadT, where times were recorded
 * @param ended how the process ended, as META says it
 * @param limit the option that ended the recording, or null
 * @param lacksSources source lines and types are incomplete for want of memory
 * @param lacksBlocks children of fork do not know the blocks that they have from this process, for
 *     want of memory
 * @param unpatched code that engine splice could not patch at all
 * @param fixed instructions that it may not patch
 * @param unknown modules of which a considerable part is in no known function
 * @param unpatchedShare of all executable bytes, for people
 * @param failure why the trace could not be written, or null
 * @param linesFailure why the lines stopped, or null
 * @param completeness what the trace holds of what the process did, as META says it
 * @param saved accesses in the file, or printed where there is none
 */
public record TraceResult(
        int serial,
        int pid,
        String program,
        Path file,
        long loads,
        long stores,
        long blocks,
        long enters,
        long leaves,
        long acquisitions,
        int windows,
        long paused,
        String ended,
        String limit,
        boolean lacksSources,
        boolean lacksBlocks,
        List<UnrecordedCode.Part> unpatched,
        List<UnrecordedCode.Fixed> fixed,
        List<UnrecordedCode.Unknown> unknown,
        String unpatchedShare,
        IOException failure,
        IOException linesFailure,
        long saved,
        Losses losses,
        String completeness) {

    static TraceResult of(
            int serial,
            int pid,
            ProcessTrace trace,
            long paused,
            String ended,
            IOException failure,
            Losses losses,
            String completeness) {
        List<UnrecordedCode.Part> unpatched = Completeness.unpatched(trace);
        long bytes = unpatched.stream().mapToLong(UnrecordedCode.Part::bytes).sum();
        return new TraceResult(
                serial,
                pid,
                trace.program(),
                trace.sink().file(),
                trace.frames().loads(),
                trace.frames().stores(),
                trace.frames().blocks(),
                trace.frames().enters(),
                trace.frames().leaves(),
                trace.frames().acquisitions(),
                trace.windows().count(),
                paused,
                ended,
                trace.limit().isReached() ? trace.limit().option() : null,
                trace.lacksSources(),
                trace.lacksBlocks(),
                unpatched,
                Completeness.fixed(trace),
                Completeness.unknown(trace),
                bytes == 0 ? "" : trace.unrecorded().share(bytes),
                failure,
                trace.sink().linesFailure(),
                trace.sink().savedAccesses(),
                losses,
                completeness);
    }

    public long accesses() {
        return loads + stores;
    }

    /** Returns whether a command can read the trace: a pipe would wait for its other end. */
    public boolean isReadable() {
        return failure == null
                && file != null
                && !file.equals(OutputName.STANDARD)
                && Files.isRegularFile(file);
    }

    /** Returns whether there is nothing to say of it but how much it holds. */
    boolean isUnremarkable() {
        return failure == null
                && linesFailure == null
                && losses.none()
                && losses.unseen() == 0
                && losses.left() == 0
                && losses.vforks() == 0
                && limit == null
                && !lacksBlocks
                && unpatched.isEmpty()
                && fixed.isEmpty()
                && unknown.isEmpty();
    }
}
