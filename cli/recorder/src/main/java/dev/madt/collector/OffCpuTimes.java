package dev.madt.collector;

import dev.madt.natives.ContextSwitches;
import dev.madt.natives.TimeStamps;
import dev.madt.session.RecordingClock;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ProcessorTurns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says when the threads of the recorded processes had no processor. A reading gives all that was
 * before it, so what is read when calls have been taken from the chunks, and told in front of them,
 * stands in front of every call behind it.
 */
final class OffCpuTimes {
    /**
     * A thread without a processor.
     *
     * @param since nanoseconds
     * @param turn null if it was not preempted
     */
    private record Absence(int process, long since, ProcessorTurns.Wait turn) {}

    /**
     * Says what a thread was called.
     *
     * @param read when, in nanoseconds
     */
    private record Name(byte[] bytes, long read) {}

    private static final String UNKNOWN = "?";
    private static final int NAME_BYTES = 16;
    private static final int MOST_NAMES = 4096;
    /** Nanoseconds; later it may have executed another program, or have changed its name. */
    private static final long NAME_HOLDS = 10_000_000;

    private final RecordingClock clock;
    private final ContextSwitches switches;
    private final Set<Integer> processes = new HashSet<>();
    private final Map<Integer, Absence> absences = new HashMap<>();
    private final ProcessorTurns turns = new ProcessorTurns();
    /** By process. */
    private final Map<Integer, List<TraceEvent.OffCpu>> spans = new HashMap<>();

    private final Map<Integer, Name> names = new HashMap<>();
    private TimeStamps now;

    /** @param switches null if the system does not tell */
    OffCpuTimes(RecordingClock clock, ContextSwitches switches) {
        this.clock = clock;
        this.switches = switches;
    }

    /** Returns whether the system tells. */
    boolean isKnown() {
        return switches != null;
    }

    /** Records of switches that were lost. */
    long lost() {
        return switches == null ? 0 : switches.lost();
    }

    /** A process is recorded from now on. */
    void add(int pid) {
        processes.add(pid);
    }

    /** A process has ended. */
    void remove(int pid) {
        processes.remove(pid);
        spans.remove(pid);
        absences.values().removeIf(absence -> absence.process() == pid && forget(absence));
    }

    private boolean forget(Absence absence) {
        if (absence.turn() != null) {
            turns.end(absence.turn(), absence.since());
        }
        return true;
    }

    /** The absences of a process's threads that have ended since the last call. */
    List<TraceEvent.OffCpu> take(int pid) {
        if (switches == null) {
            return List.of();
        }
        now = TimeStamps.now();
        switches.read(this::take);
        List<TraceEvent.OffCpu> taken = spans.remove(pid);
        return taken == null ? List.of() : taken;
    }

    private void take(long nanos, int pid, int tid, boolean lost, boolean preempted, int next) {
        if (lost && turns.pass(tid, next, nanos)) {
            name(next, nanos); // while it lives
        }
        if (!processes.contains(pid)) {
            return;
        }
        if (lost) {
            ProcessorTurns.Wait wait = preempted ? turns.preempted(next, nanos) : null;
            absences.put(tid, new Absence(pid, nanos, wait));
            if (preempted) {
                name(next, nanos);
            }
            return;
        }
        Absence absence = absences.remove(tid);
        if (absence != null) {
            spans.computeIfAbsent(pid, key -> new ArrayList<>()).add(span(tid, absence, nanos));
        }
    }

    private TraceEvent.OffCpu span(int tid, Absence absence, long until) {
        long begin = ticks(absence.since());
        byte[] name = absence.turn() == null
                ? new byte[NAME_BYTES]
                : name(turns.end(absence.turn(), until), until);
        return new TraceEvent.OffCpu(
                tid, 0, begin, ticks(until) - begin, word(name, 0), word(name, Long.BYTES));
    }

    private long ticks(long nanos) {
        return now.ticks() - clock.ticks(now.nanos() - nanos);
    }

    private static long word(byte[] name, int at) {
        long word = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            word = word << 8 | name[at + i] & 0xff;
        }
        return word;
    }

    /** Returns what a thread is called; {@code ?} if that is not known. */
    private byte[] name(int tid, long nanos) {
        Name known = names.get(tid);
        if (known != null && nanos - known.read() < NAME_HOLDS) {
            return known.bytes();
        }
        String text = comm(tid);
        boolean ended = known != null && text.equals(UNKNOWN);
        byte[] bytes = ended ? known.bytes() : new byte[NAME_BYTES];
        if (!ended) {
            byte[] all = text.getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(all, 0, bytes, 0, Math.min(all.length, NAME_BYTES - 1));
        }
        if (names.size() == MOST_NAMES) {
            names.clear();
        }
        names.put(tid, new Name(bytes, nanos));
        return bytes;
    }

    /** The launcher's threads are {@code madt}: nobody knows their own names. */
    static String comm(int tid) {
        String number = Integer.toString(tid);
        try {
            return tid == 0
                    ? UNKNOWN
                    : Files.exists(Path.of("/proc/self/task", number))
                            ? "madt"
                            : Files.readString(
                                            Path.of("/proc", number, "comm"),
                                            StandardCharsets.ISO_8859_1)
                                    .stripTrailing();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
