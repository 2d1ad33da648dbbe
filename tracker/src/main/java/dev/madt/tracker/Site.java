package dev.madt.tracker;

/**
 * One place in the code that accesses memory: an operand of an instruction, or one element of it.
 *
 * @param address run-time address of the instruction
 * @param length bytes of the instruction; 0 if unknown (code without a map)
 * @param kind what it does
 * @param size bytes accessed; 0 if unknown
 * @param operand number of the operand in the instruction, from 0
 * @param stack whether the operand addresses the stack by its form
 */
public record Site(long address, int length, AccessKind kind, int size, int operand, boolean stack) {}
