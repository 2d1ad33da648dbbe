package dev.madt.view;

import dev.madt.trace.event.BlockKind;

/**
 * A bulk transfer.
 *
 * @param number running number, in one count with accesses
 * @param to destination of a copy; the address of a store or fetch
 * @param from source of a copy, else 0
 * @param length bytes, as the program asked for; what cannot be is possible: {@code memset(p, 0,
 *     huge)}
 * @param reach bytes that can have been touched: no more than is mapped in one piece
 * @param place the call or instruction
 * @param target what lies at {@code to}
 * @param source what lies at {@code from} for a copy, else null
 * @param targetStart where the target begins, from which offsets count; that of a block where
 *     blocks go by site
 * @param sourceStart likewise of the source
 */
public record BlockAccess(
        long number,
        int thread,
        BlockKind kind,
        long to,
        long from,
        long length,
        long reach,
        Place place,
        DataObject target,
        DataObject source,
        long targetStart,
        long sourceStart) {}
