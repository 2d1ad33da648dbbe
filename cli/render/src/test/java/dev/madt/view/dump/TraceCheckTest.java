package dev.madt.view.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceCheckTest {
    private static final AccessSite LOAD =
            new AccessSite(0x401000, 4, AccessKind.LOAD, 8, 0, false);
    private static final AccessSite ATOMIC = new AccessSite(
            0x401008, 4, AccessKind.MODIFY, 8, 0, false, AccessSite.NO_FRAME, true, 0);
    private static final AccessSite STACK =
            new AccessSite(0x401004, 4, AccessKind.LOAD, 8, 0, true);

    private final TraceCheck check = new TraceCheck();

    private void ring(RingEventType type, long epoch, long address, long size, long old) {
        check.ring(TraceEvent.of(type, 1, epoch, address, size, old, 0, "", 0x401001));
    }

    @Test
    void shouldFindNothingWrongWithASoundTrace() {
        check.define(new Definition.Region(RegionKind.STACK, 3, 0x7000, 0x9000, 0x7000, "[stack]"));
        check.define(new Definition.RegionsForgotten(0x7800, 0x7900));
        ring(RingEventType.MALLOC, 3, 0x5000, 33, 0);
        check.access(0, 1, LOAD, false, 0x5008);
        check.access(1, 1, LOAD, false, 0x7810);
        check.block(2, 1, BlockKind.STORE, 0x5000, 0, 33, 0x401001);
        ring(RingEventType.FREE, 4, 0, 0, 0x5000);
        check.access(3, 1, LOAD, false, 0x5008);
        ring(RingEventType.FREE, 5, 0, 0, 0x5000);
        assertEquals(List.of(), check.violations());
        assertEquals(4, check.events());
        assertEquals(3, check.allocations());
        assertEquals(1, check.deadAccesses());
        assertEquals(1, check.doubleFrees());
    }

    /** Threads may wait for each other there, whatever is recorded. */
    @Test
    void shouldBeContentWithAtomicAccessesToStacks() {
        check.define(new Definition.Region(RegionKind.STACK, 3, 0x7000, 0x9000, 0x7000, "[stack]"));
        check.access(0, 1, ATOMIC, false, 0x8ff8);
        check.access(1, 1, ATOMIC, true, 0x8ff8);
        assertEquals(List.of(), check.violations());
    }

    @Test
    void shouldTellWhatIsWrong() {
        check.define(new Definition.Region(RegionKind.STACK, 3, 0x7000, 0x9000, 0x7000, "[stack]"));
        check.define(
                new Definition.Region(RegionKind.ANONYMOUS, 3, 0xa000, 0xa000, 0xa000, "[anon]"));
        check.access(0, 1, LOAD, true, 0x5000);
        check.access(2, 1, STACK, false, 0x5000);
        check.access(3, 1, LOAD, false, 0x8ff8);
        ring(RingEventType.THREAD_START, 7, 0, 0, 0);
        ring(RingEventType.THREAD_START, 7, 0, 0, 0);
        check.block(4, 1, BlockKind.STORE, 0x5000, 0, -1, 0);
        assertEquals(
                List.of(
                        "the range 0xa000 to 0xa000 is empty",
                        "access 0 is not what the instruction at 0x401000 does",
                        "event 2 follows event 0",
                        "access 2 is by a stack operand of the instruction at 0x401004",
                        "access 3 is to 0x8ff8, which is not traced",
                        "THREAD_START has epoch 7 behind 7",
                        "bulk transfer 4 has -1 bytes",
                        "bulk transfer 4 has no place in the code"),
                check.violations());
        assertEquals(8, check.violated());
    }

    /** Events of calls and instruments have the epochs of records, also several the same one. */
    @Test
    void shouldBeContentWithEventsThatAreMadeOfRecords() {
        ring(RingEventType.THREAD_START, 7, 0x7000, 0, 0);
        ring(RingEventType.LOCK_GOT, 8, 0x5000, 1, 2);
        ring(RingEventType.LOCK_RELEASED, 8, 0x5000, 1, 2);
        ring(RingEventType.THREAD_SYNC, 8, 0x5000, 1, 2);
        ring(RingEventType.INSTRUMENT_VALUES, 8, 0, 1, 2);
        ring(RingEventType.INSTRUMENT_HIT, 8, 0, 1, 2);
        ring(RingEventType.THREAD_NAME, 8, 0, 0, 0);
        ring(RingEventType.LOCK_UNDONE, 8, 0x5000, 1, 2);
        ring(RingEventType.LOCK_GOT, 9, 0x5000, 1, 2);
        ring(RingEventType.EXIT, 12, 0, 0, 0);
        ring(RingEventType.INSTRUMENT_COUNT, 13, 0, 1, 0);
        ring(RingEventType.INSTRUMENT_ROW, 13, 0, 1, 0);
        assertEquals(List.of(), check.violations());
    }

    @Test
    void shouldTellOfEventsThatAreMadeOfRecordsElsewhere() {
        ring(RingEventType.THREAD_START, 7, 0x7000, 0, 0);
        ring(RingEventType.LOCK_GOT, 6, 0x5000, 1, 2);
        ring(RingEventType.LOCK_RELEASED, 10, 0x5000, 1, 2);
        ring(RingEventType.THREAD_NAME, 9, 0, 0, 0);
        ring(RingEventType.THREAD_SYNC, 9, 1L << 63, 0, 0);
        assertEquals(
                List.of(
                        "LOCK_GOT is of a record with epoch 6 behind ticket 7",
                        "THREAD_NAME has epoch 9 behind a record with epoch 10",
                        "THREAD_SYNC has epoch 9 behind 9",
                        "THREAD_SYNC has epoch 9 behind a record with epoch 10"),
                check.violations());
    }

    /** The blocks of a pool end by one event of the program. */
    @Test
    void shouldBeContentWithThePoolsThatEnd() {
        ring(RingEventType.NAMED_ALLOC, 3, 0x5000, 8, 0);
        ring(RingEventType.NAMED_ALLOC, 4, 0x5010, 8, 0);
        ring(RingEventType.NAMED_FREE, 5, 0, 0, 0x5000);
        ring(RingEventType.NAMED_FREE, 5, 0, 0, 0x5010);
        assertEquals(List.of(), check.violations());
        ring(RingEventType.FREE, 5, 0, 0, 0x5010);
        assertEquals(List.of("FREE has epoch 5 behind 5"), check.violations());
    }
}
