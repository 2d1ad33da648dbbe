package dev.madt.view.timeline;

import java.util.ArrayList;
import java.util.List;

/** The processes of a timeline and their lanes, in the order of their first calls. */
public final class Lanes {
    private final List<TracedProcess> processes = new ArrayList<>();
    private final List<Lane> all = new ArrayList<>();
    private final List<Away> away = new ArrayList<>();
    private final List<String> killed = new ArrayList<>();

    TracedProcess process(long pid, String program) {
        TracedProcess process = new TracedProcess(processes.size(), pid, program);
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

    void away(Away time) {
        away.add(time);
    }

    /** When threads did not run the program. */
    List<Away> away() {
        return away;
    }

    /** A process was killed by a signal. */
    void killed(TracedProcess process, String signal) {
        killed.add(process.title() + " was killed by " + signal);
    }

    /** Which processes were killed; empty if none was. */
    String killed() {
        return String.join(", ", killed);
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
                    .forEach(lanes::add);
        }
        return lanes;
    }
}
