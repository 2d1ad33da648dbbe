package dev.madt.resolver.line;

import dev.madt.trace.event.RegionKind;
import java.util.function.LongUnaryOperator;

/**
 * Says which stack a stack pointer is in: the memory that one ends with. That is the region, or the
 * block in it that the program allocated for a stack. Variables of modules are one piece each, even
 * if a program has several stacks in one.
 */
final class StackMemory implements LongUnaryOperator {
    private final AddressSpace space;
    private final DataIndex index;
    /** The piece that was asked for last. */
    private long start;

    private long end;

    StackMemory(AddressSpace space, DataIndex index) {
        this.space = space;
        this.index = index;
    }

    /** Regions or blocks have changed. */
    void changed() {
        end = start;
    }

    /** The end of the piece around an address; 0 if the trace knows none. */
    @Override
    public long applyAsLong(long address) {
        if (Long.compareUnsigned(address - start, end - start) >= 0) {
            find(address);
        }
        return end;
    }

    private void find(long address) {
        AddressSpace.Region region = space.region(address);
        start = region == null ? 0 : region.start();
        end = region == null ? 0 : region.end();
        if (region != null && region.kind() != RegionKind.STACK) {
            NamedRange piece = index.at(address);
            boolean inBlock = piece.block() != null;
            start = inBlock ? piece.start() : start;
            end = inBlock ? piece.end() : end;
        }
    }
}
