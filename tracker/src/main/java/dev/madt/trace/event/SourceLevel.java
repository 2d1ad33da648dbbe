package dev.madt.trace.event;

/**
 * One of the functions that an instruction belongs to, by inlining.
 *
 * @param function its name for the linker, else in the source; empty if it is not known
 * @param file path of the source file as the compiler saw it; empty if it is not known
 * @param line from 1; 0 if it is not known
 * @param column from 1; 0 if it is not known
 */
public record SourceLevel(String function, String file, int line, int column) {}
