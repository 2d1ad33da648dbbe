package dev.madt.resolver.elf;

/**
 * A range of a module's non-executable memory under one name.
 *
 * @param start ELF virtual address
 * @param end one past the last byte
 * @param part {@code .data}, {@code .bss}, {@code .rodata} or {@code .relro}
 * @param protection while the program runs: 1 read, 2 write
 */
public record DataRange(long start, long end, String part, int protection) {}
