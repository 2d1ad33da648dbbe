package dev.madt.cli.view;

import dev.madt.tracker.BlockKind;

/**
 * A block event.
 *
 * @param number running number, in one count with accesses
 * @param to destination of a copy; the address of a store or fetch
 * @param from source of a copy, else 0
 * @param length bytes
 * @param place the call or instruction
 * @param target what lies at {@code to}
 * @param source what lies at {@code from} for a copy, else null
 */
public record BlockAccess(
        long number, int thread, BlockKind kind, long to, long from, long length, Place place, Datum target, Datum source) {}
