package dev.madt.trace.event;

/**
 * A process image: a process that replaces its image by exec has one entry for each.
 *
 * @param parent pid of the process that made it, 0 if unknown
 * @param program file that it runs
 * @param ended as the key of META, or {@code running}
 * @param trace name of its trace file; empty if it has none
 */
public record ProcessImage(int pid, int parent, String program, String ended, String trace) {}
