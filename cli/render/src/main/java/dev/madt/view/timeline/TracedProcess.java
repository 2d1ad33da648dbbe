package dev.madt.view.timeline;

/**
 * A process image whose calls are drawn.
 *
 * @param number from 0, in the order in which the traces were read
 */
record TracedProcess(int number, long pid, String program) {
    /** The program without its folder, and the pid. */
    String title() {
        return program.substring(program.lastIndexOf('/') + 1) + " " + pid;
    }
}
