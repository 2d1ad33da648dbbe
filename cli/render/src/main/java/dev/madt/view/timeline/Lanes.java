package dev.madt.view.timeline;

import dev.madt.console.Numbers;
import dev.madt.tracker.ThreadNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The processes of a timeline and their lanes, in the order of their first calls. */
public final class Lanes {
    /** Nanoseconds by which times of one moment may differ. */
    private static final long ROUNDING = 2;

    /** Says what began at the origin. */
    static final String MAIN = "main";

    static final String LOAD = "the program's load";
    static final String PROCESS = "the process";
    private static final String RECORDING = "the recording";

    private final List<TracedProcess> processes = new ArrayList<>();
    private final List<Lane> all = new ArrayList<>();
    private final List<OffCpu> offCpu = new ArrayList<>();
    private final List<LockHandover> handovers = new ArrayList<>();
    private long locks;
    private final List<String> broken = new ArrayList<>();
    private final List<RecordedWindow> windows = new ArrayList<>();
    private long origin;
    private String originOf = RECORDING;

    TracedProcess process(long pid, String program) {
        TracedProcess process =
                new TracedProcess(processes.size(), pid, program, new ThreadNames());
        processes.add(process);
        return process;
    }

    Lane lane(TracedProcess process, int thread, int slot) {
        Lane lane = new Lane(all.size(), process, thread, slot);
        all.add(lane);
        return lane;
    }

    List<TracedProcess> processes() {
        return processes;
    }

    List<Lane> all() {
        return all;
    }

    void offCpu(OffCpu time) {
        offCpu.add(time);
    }

    /** Returns when threads did not run the program. */
    List<OffCpu> offCpu() {
        return offCpu;
    }

    void handedOver(LockHandover lock) {
        handovers.add(lock);
    }

    /** Returns how locks went from threads to others that waited for them. */
    List<LockHandover> handovers() {
        return handovers;
    }

    void tookLock() {
        locks++;
    }

    /** Returns how often a thread got a lock. */
    long locks() {
        return locks;
    }

    /** Returns what is drawn, for people: so many calls, and locks. */
    String counted(long calls) {
        String some = calls == 0 && locks > 0 ? "" : Numbers.counted(calls, "call", "calls");
        String taken = locks == 0 ? "" : "locks got " + Numbers.counted(locks, "time", "times");
        return some.isEmpty() || taken.isEmpty() ? some + taken : some + ", " + taken;
    }

    void opened(RecordedWindow window) {
        windows.add(window);
    }

    /** A window closes, if it is one of those that were told of. */
    void closed(TracedProcess process, long number, long position, String why) {
        int last = windows.size() - 1;
        RecordedWindow window = last < 0 ? null : windows.get(last);
        if (window != null && window.process() == process && window.number() == number) {
            windows.set(last, window.closed(position, why));
        }
    }

    /** A window that opened about then has ended, if it is not known yet. */
    void ended(TracedProcess process, long opened, long position, String why) {
        windows.replaceAll(window -> window.process() == process
                        && window.to() == RecordedWindow.OPEN
                        && Math.abs(window.from() - opened) <= ROUNDING
                ? window.closed(position, why)
                : window);
    }

    /** The windows that were asked for and reach into a range. */
    List<RecordedWindow> windows(long first, long last) {
        return windows.stream()
                .filter(window -> window.from() <= last && window.to() >= first)
                .toList();
    }

    /** The windows that were asked for, if any was. */
    List<RecordedWindow> windows() {
        return windows;
    }

    /** The trace of a process ends in the middle of calls, for this reason. */
    void brokenOff(TracedProcess process, String why) {
        broken.add(process.title() + why);
    }

    /** Returns which processes were killed or went on; empty if none was. */
    String brokenOff() {
        return String.join(", ", broken);
    }

    /** Tells when a process began; the first one's {@code main} is the origin, if that is known. */
    void began(TracedProcess process, long position, String what) {
        boolean better = originOf.equals(RECORDING) || originOf.equals(PROCESS);
        if (process.number() == 0 && better && !what.equals(originOf)) {
            origin = position;
            originOf = what;
        }
    }

    /** Returns where times count from, in nanoseconds since the recording began. */
    long origin() {
        return origin;
    }

    /** Returns what began there, for people. */
    String originOf() {
        return originOf;
    }

    /** The lanes of a process by thread, the threads in the order of their first calls. */
    List<Lane> of(TracedProcess process) {
        List<Integer> threads = all.stream()
                .filter(lane -> lane.process() == process)
                .map(Lane::thread)
                .distinct()
                .toList();
        List<Lane> lanes = new ArrayList<>();
        for (int thread : threads) {
            all.stream()
                    .filter(lane -> lane.process() == process && lane.thread() == thread)
                    .sorted(Comparator.comparingInt(Lane::slot))
                    .forEach(lanes::add);
        }
        return lanes;
    }
}
