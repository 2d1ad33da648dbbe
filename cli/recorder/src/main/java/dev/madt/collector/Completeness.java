package dev.madt.collector;

import dev.madt.console.Numbers;
import dev.madt.modules.UnrecordedCode;
import dev.madt.session.Engine;
import dev.madt.session.ProcessStatus;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what a trace is said to hold of what its process did, in the same words by {@code madt run}
 * and, later, {@code madt info}.
 */
final class Completeness {
    private Completeness() {}

    /**
     * A part of a sentence: {@code complete}, {@code complete but for 3 lost accesses},
     * {@code ended at the limit of --max-events}.
     *
     * @param ended how the process ended, as META has it
     * @param until where the trace of a process ends that goes on; null: it has ended
     */
    static String of(ProcessTrace trace, Losses losses, String ended, String until) {
        String extent;
        if (losses.damage() != null) {
            extent = "truncated, the shared memory is damaged";
        } else if (trace.limit().isReached()) {
            extent = "ended at the limit of " + trace.limit().option();
        } else if (losses.left() == SharedLayout.LEFT_DEBUGGED) {
            extent = "complete until a debugger took the process over, which then ran untraced";
        } else if (losses.left() == SharedLayout.LEFT_I386) {
            extent = "complete until the program made a 32-bit system call (int $0x80) that cannot"
                    + " be followed, and then ran untraced";
        } else if (losses.left() == SharedLayout.LEFT_SPACE) {
            extent = "complete until there was no shared memory for more; then it ran untraced";
        } else if (losses.left() == SharedLayout.LEFT_DETACHED) {
            extent = "complete until it was detached";
        } else if (losses.left() == SharedLayout.LEFT_THREADS) {
            extent = "complete until more threads ran at a time than can be recorded; then it ran"
                    + " untraced";
        } else if (losses.left() != 0) {
            extent = "complete until the program shut itself in with a seccomp filter, under which"
                    + " it ran untraced";
        } else if (until != null) {
            extent = "complete up to " + until;
        } else {
            extent = ProcessStatus.isCrash(ended)
                    ? "complete up to the crash"
                    : ended.startsWith("signal ") ? "complete up to the signal" : "complete";
        }
        extent = newest(trace) + extent;
        List<String> lacks = lacks(trace, losses);
        return lacks.isEmpty()
                ? extent
                : extent + (extent.endsWith("complete") ? " but for " : ", without ") + join(lacks);
    }

    /** Returns what {@code --last} has left. */
    private static String newest(ProcessTrace trace) {
        EventTally forgotten = trace.frames().forgotten();
        if (forgotten == null || forgotten.all() == 0) {
            return "";
        }
        long kept = trace.frames().numbered();
        return "the last " + Numbers.grouped(kept) + " of "
                + Numbers.grouped(kept + forgotten.all()) + " events, ";
    }

    private static List<String> lacks(ProcessTrace trace, Losses losses) {
        List<String> lacks = new ArrayList<>();
        if (losses.accesses() > 0 && !losses.ranOut()) {
            lacks.add(Numbers.counted(losses.accesses(), "lost access", "lost accesses"));
        }
        if (losses.events() > 0) {
            lacks.add(Numbers.counted(losses.events(), "lost event", "lost events"));
        }
        if (losses.vforks() > 0) {
            lacks.add(Numbers.counted(
                    losses.vforks(),
                    "child of vfork that is traced by another process",
                    "children of vfork that are traced by other processes"));
        }
        if (trace.rateLimit() != null && trace.rateLimit().count() > 0) {
            lacks.add(Numbers.counted(trace.rateLimit().count(), "function", "functions")
                    + " called too often");
        }
        if (!unpatched(trace).isEmpty() || !fixed(trace).isEmpty()) {
            lacks.add("unpatched code");
        }
        if (!unknown(trace).isEmpty()) {
            lacks.add("code in no known function");
        }
        return lacks;
    }

    /** Modules of which a considerable part is in no known function. */
    static List<UnrecordedCode.Unknown> unknown(ProcessTrace trace) {
        return trace.engine() == Engine.SPLICE ? trace.unrecorded().unknown() : List.of();
    }

    /** Instructions that engine splice may not patch, such as those of restartable sequences. */
    static List<UnrecordedCode.Fixed> fixed(ProcessTrace trace) {
        return trace.engine() == Engine.SPLICE ? trace.unrecorded().fixed() : List.of();
    }

    /** Returns a list as a sentence has it: {@code a, b and c}. */
    static String join(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1
                ? String.join("", parts)
                : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    /**
     * Code of the process that engine splice could not patch at all. What plans leave out is in
     * {@code madt info}, and if it is much in {@link #unknown}.
     */
    static List<UnrecordedCode.Part> unpatched(ProcessTrace trace) {
        return trace.engine() == Engine.SPLICE
                ? trace.unrecorded().parts().stream()
                        .filter(UnrecordedCode.Part::missing)
                        .toList()
                : List.of();
    }
}
