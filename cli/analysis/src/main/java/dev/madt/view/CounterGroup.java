package dev.madt.view;

import java.util.List;

/** Counters of one feed: accesses are alike where they are so for each. */
final class CounterGroup implements AccessCounter {
    private final AccessCounter[] all;
    private final boolean byDataObject;
    private final boolean byUnit;
    private final boolean byThread;

    CounterGroup(List<AccessCounter> counters) {
        all = counters.toArray(new AccessCounter[0]);
        byDataObject = counters.stream().anyMatch(AccessCounter::byDataObject);
        byUnit = counters.stream().anyMatch(AccessCounter::byUnit);
        byThread = counters.stream().anyMatch(AccessCounter::byThread);
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        for (AccessCounter counter : all) {
            counter.access(number, thread, place, object, address);
        }
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        for (AccessCounter counter : all) {
            counter.again(number, thread, place, times);
        }
    }

    @Override
    public boolean byDataObject() {
        return byDataObject;
    }

    @Override
    public int unitBits(Place place, DataObject object) {
        int bits = ONE_UNIT;
        for (AccessCounter counter : all) {
            bits = Math.min(bits, counter.unitBits(place, object));
        }
        return bits;
    }

    @Override
    public boolean byUnit() {
        return byUnit;
    }

    @Override
    public void touch(Place place, long address) {
        for (AccessCounter counter : all) {
            counter.touch(place, address);
        }
    }

    @Override
    public void behind(long next) {
        for (AccessCounter counter : all) {
            counter.behind(next);
        }
    }

    @Override
    public long until() {
        long until = Long.MAX_VALUE;
        for (AccessCounter counter : all) {
            until = Math.min(until, counter.until());
        }
        return until;
    }

    @Override
    public boolean byThread() {
        return byThread;
    }
}
