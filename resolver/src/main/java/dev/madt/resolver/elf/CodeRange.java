package dev.madt.resolver.elf;

/**
 * A range of a module's executable memory.
 *
 * @param start ELF virtual address
 * @param end one past the last byte
 * @param protection 1 read, 2 write, 4 execute
 */
public record CodeRange(long start, long end, int protection) {}
