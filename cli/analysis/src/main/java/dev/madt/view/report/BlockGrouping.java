package dev.madt.view.report;

import dev.madt.view.Allocation;
import dev.madt.view.DataObject;

/**
 * Rows by single blocks, variables and the rest of each region; blocks that nobody accesses are
 * kept apart.
 */
final class BlockGrouping extends DataObjectGrouping {
    private final UntouchedBlocks untouched = new UntouchedBlocks();

    BlockGrouping() {
        super((grouping, object) -> object.shownName(), true, false);
    }

    @Override
    void first(DataObject object) {
        untouched.touch(object);
    }

    @Override
    void allocation(Allocation event) {
        if (event.ended() != null && event.ended().former() != null) {
            untouched.end(event.ended().former());
        }
        if (event.born() != null && !isKnown(event.born())) {
            untouched.born(event.born());
        }
    }

    @Override
    void end(long next) {
        super.end(next);
        untouched.endAll();
    }

    @Override
    UntouchedBlocks untouched() {
        return untouched;
    }
}
