package dev.madt.view.timeline;

import dev.madt.tracker.ThreadNames;

/**
 * A process image whose calls are drawn.
 *
 * @param number from 0, in the order in which the traces were read
 * @param names what its threads are called
 */
record TracedProcess(int number, long pid, String program, ThreadNames names) {
    /** The program without its folder, and the pid. */
    String title() {
        return program.substring(program.lastIndexOf('/') + 1) + " " + pid;
    }
}
