package dev.madt.collector;

import dev.madt.console.KeptExtent;
import dev.madt.console.OutputName;
import dev.madt.locks.LockFunctions;
import dev.madt.modules.CallBounds;
import dev.madt.modules.ChosenFunctions;
import dev.madt.modules.ChosenPrograms;
import dev.madt.modules.Instruments;
import dev.madt.modules.NamedAllocators;
import dev.madt.modules.PlanWish;
import dev.madt.modules.Scope;
import dev.madt.session.Engine;
import dev.madt.session.InstrumentMemory;
import dev.madt.session.RunningProcess;
import dev.madt.session.SessionSettings;
import dev.madt.session.ThreadPointer;
import dev.madt.session.Windows;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.view.report.ReportForm;
import dev.madt.view.text.LineForm;
import dev.madt.view.top.TopProcesses;
import java.nio.file.Path;
import java.util.List;

/**
 * Says what is to be recorded, and where it goes: {@code madt run} as its options put it.
 *
 * @param output pattern of the trace file, or null for none
 * @param text where lines go, {@code -} for stdout, or null
 * @param report how the report is to look that is written at the end, or null for none
 * @param maxEvents accesses and bulk transfers to record in each process; 0: no limit
 * @param maxSize bytes of each trace file at which its recording ends; 0: no limit
 * @param last how much of each process is kept; null: everything
 * @param kinds what is recorded
 * @param windows when
 * @param functions those whose calls are recorded
 * @param locks functions by which threads wait for each other; null: they are not recorded
 * @param allocators whose blocks are recorded besides those of the C library
 * @param instruments what stands where, by the user's wish
 * @param bounds how far
 * @param callRate calls of a function in a second beyond which it is recorded no more; 0: no limit
 * @param stack accesses to stacks too
 * @param tls accesses to thread-local storage too
 * @param quarantine bytes of freed blocks that are kept back from the allocator; 0: none
 * @param chain calls of the chain of an allocation that are told, at most; 1: its site alone
 * @param programs those that are recorded of the programs that it executes
 * @param program the program and its arguments
 * @param running the process that is recorded from where it is; null: the program is started
 * @param top who counts all processes while they go on, or null
 * @param programOutput where the standard output and error of the program go; null: where those of
 *     this process go
 */
public record Recording(
        String output,
        String text,
        ReportForm report,
        LineForm lines,
        Engine engine,
        RecordedKinds kinds,
        Windows windows,
        ChosenFunctions functions,
        LockFunctions locks,
        NamedAllocators allocators,
        Instruments instruments,
        CallBounds bounds,
        long callRate,
        long maxEvents,
        long maxSize,
        KeptExtent last,
        Scope scope,
        boolean stack,
        boolean tls,
        long quarantine,
        int chain,
        boolean follow,
        boolean lossy,
        boolean overwrite,
        ChosenPrograms programs,
        List<String> program,
        RunningProcess running,
        TopProcesses top,
        Path programOutput) {
    /** Returns whether engine trap can record the same. */
    public boolean isOfAccessesAlone() {
        return kinds.accesses()
                && !kinds.calls()
                && !kinds.locks()
                && !stack
                && !tls
                && instruments.areNone();
    }

    /** As this one, counted while it goes on, and with another trace file, or without one. */
    public Recording counted(TopProcesses by, String trace, Path written) {
        return new Recording(
                trace,
                text,
                report,
                lines,
                engine,
                kinds,
                windows,
                functions,
                locks,
                allocators,
                instruments,
                bounds,
                callRate,
                maxEvents,
                maxSize,
                last,
                scope,
                stack,
                tls,
                quarantine,
                chain,
                follow,
                lossy,
                overwrite,
                programs,
                program,
                running,
                by,
                written);
    }

    /** Returns what the splice plans of the recording record. */
    public PlanWish planWish() {
        int flags = (stack ? SplicePlan.STACK : 0)
                | (tls ? SplicePlan.TLS : 0)
                | (tls && !ThreadPointer.isReadable() ? SplicePlan.KEPT : 0)
                | (windows.watchFunctions() ? SplicePlan.AWAITED : 0)
                | (running == null ? 0 : SplicePlan.ALLOCATOR);
        return new PlanWish(flags, kinds.accesses(), kinds.calls(), kinds.times());
    }

    /**
     * Returns whether standard output is for the trace, so that the program may not write to it.
     */
    public boolean takesStandardOutput() {
        return OutputName.STANDARD.toString().equals(output);
    }

    /** Returns what the targets must know, as the session page has it. */
    public SessionSettings settings() {
        int flags = (lossy ? SharedLayout.SESSION_LOSSY : 0)
                | (follow ? SharedLayout.SESSION_FOLLOW : 0)
                | (kinds.times() ? SharedLayout.SESSION_TIMES : 0)
                | (kinds.times() || instruments.times() ? SharedLayout.SESSION_PAUSES : 0)
                | (tls ? SharedLayout.SESSION_TLS : 0)
                | (kinds.accesses() && kinds.locks() ? SharedLayout.SESSION_HANDED : 0)
                | (kinds.calls() && engine == Engine.SPLICE ? SharedLayout.SESSION_OPEN : 0);
        int covered = (scope.covers("[heap]", "") ? SharedLayout.SCOPE_HEAP : 0)
                | (scope.mayCoverMapped() ? SharedLayout.SCOPE_MAPPED : 0);
        return new SessionSettings(
                engine.code(),
                windows,
                flags,
                maxEvents,
                covered,
                quarantine,
                chain,
                engine == Engine.SPLICE ? instruments.memory() : InstrumentMemory.NONE,
                programs.areAll() ? null : programs.bytes());
    }
}
