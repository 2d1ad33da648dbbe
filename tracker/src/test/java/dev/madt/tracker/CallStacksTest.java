package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.OffCpuEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallStacksTest {
    private static final int MAIN = 1;
    private static final int OTHER = 2;

    /** Pieces of memory of 64 KiB. */
    private final CallStacks stacks = new CallStacks(address -> (address >>> 16) + 1);

    @Test
    void shouldPairWhatIsNested() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        assertNull(outer.caller());
        CallStacks.Frame inner = stacks.enter(MAIN, 0x20, 0xfe00, 3);
        assertSame(outer, inner.caller());
        assertEquals(1, inner.depth());
        assertSame(inner, stacks.leave(MAIN, 0xfe00, 8));
        assertEquals(5, inner.elapsed());
        assertSame(outer, stacks.leave(MAIN, 0xff00, 10));
        assertEquals(9, outer.elapsed());
        assertEquals(4, outer.self());
        assertEquals(0, stacks.unseen() + stacks.before() + stacks.open());
    }

    /** The enter of a function that may go on anywhere. */
    private static AccessSite leaping(long entry) {
        return new AccessSite(entry, 1, AccessKind.ENTER, 8, 2, false);
    }

    @Test
    void shouldKeepAFunctionThatHasJumped() {
        List<String> told = new ArrayList<>();
        CallStacks followed = new CallStacks(
                address -> 1, (thread, frame, seen) -> told.add(frame.entry() + " " + seen));
        CallStacks.Frame caller = followed.enter(MAIN, leaping(1), 0xff00, 0);
        CallStacks.Frame jumper = followed.enter(MAIN, leaping(2), 0xfe00, 10);
        CallStacks.Frame target = followed.enter(MAIN, leaping(3), 0xfe00, 30);
        assertSame(jumper, target.caller());
        assertTrue(jumper.jumped());
        assertSame(target, followed.leave(MAIN, 0xfe00, 100));
        assertEquals(List.of("3 true", "2 false"), told);
        assertEquals(90, jumper.elapsed());
        assertEquals(20, jumper.self());
        assertSame(caller, followed.leave(MAIN, 0xff00, 110));
        assertEquals(20, caller.self());
        assertEquals(List.of(1L, 0L), List.of(followed.jumps(), followed.unseen()));
    }

    /** Only what was at work can jump, and only to where its jumps lead. */
    @Test
    void shouldTakeOnlyForAJumpWhatCanBeOne() {
        long bit = 1 << ((3 - 2) * 0x9e3779b1 >>> 28);
        AccessSite toThree = new AccessSite(2, 1, AccessKind.ENTER, (int) bit, 1, false);
        stacks.enter(MAIN, leaping(1), 0xff00, 0);
        stacks.enter(MAIN, toThree, 0xfe00, 10);
        assertEquals(2, stacks.enter(MAIN, leaping(3), 0xfe00, 11).depth());
        stacks.leave(MAIN, 0xfe00, 12);
        stacks.enter(MAIN, toThree, 0xfe00, 20);
        assertEquals(1, stacks.enter(MAIN, leaping(4), 0xfe00, 21).depth());
        stacks.enter(MAIN, leaping(5), 0xfd00, 22);
        assertEquals(1, stacks.enter(MAIN, leaping(6), 0xfe00, 23).depth());
        assertEquals(List.of(1L, 3L), List.of(stacks.jumps(), stacks.unseen()));
    }

    @Test
    void shouldKeepFewOfThoseThatJumpInCircles() {
        stacks.enter(MAIN, leaping(1), 0xff00, 0);
        for (int i = 0; i < 100_000; i++) {
            stacks.enter(MAIN, leaping(2 + i % 3), 0xfe00, i);
        }
        assertEquals(2, stacks.open());
        stacks.leave(MAIN, 0xfe00, 100_000);
        for (int i = 0; i < 100_000; i++) {
            CallStacks.Frame frame = stacks.enter(MAIN, leaping(100 + i), 0xfe00, i);
            assertTrue(frame.depth() < 10, () -> frame.depth() + " deep");
        }
    }

    @Test
    void shouldLeaveOutWhatAThreadWaitedForMadT() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 100);
        CallStacks.Frame inner = stacks.enter(MAIN, 0x20, 0xfe00, 110);
        stacks.pause(MAIN, 120, 50);
        stacks.pause(OTHER, 120, 7000);
        assertSame(inner, stacks.leave(MAIN, 0xfe00, 180));
        assertEquals(20, inner.elapsed());
        stacks.pause(MAIN, 190, 10);
        assertSame(outer, stacks.leave(MAIN, 0xff00, 205));
        assertEquals(45, outer.elapsed());
        assertEquals(25, outer.self());
        assertEquals(100, outer.entered());
    }

    @Test
    void shouldTellInWhichFunctionAThreadHadNoProcessor() {
        List<String> told = new ArrayList<>();
        CallStacks followed = new CallStacks(
                address -> 1,
                (thread, frame, seen) -> {},
                (thread, innermost, length, event, call) ->
                        told.add((innermost == null ? "-" : Long.toHexString(innermost.entry()))
                                + " " + length + " " + OffCpuEvent.preemptedBy(event)));
        followed.offCpu(offCpu(50, 20, ""));
        followed.offCpu(offCpu(120, 30, "hog"));
        followed.offCpu(offCpu(160, 15, "?"));
        followed.enter(MAIN, 0x10, 0xff00, 100);
        followed.enter(MAIN, 0x20, 0xfe00, 110);
        assertEquals(List.of("- 20 null"), told);
        followed.pause(MAIN, 155, 10);
        followed.leave(MAIN, 0xfe00, 152);
        assertEquals("20 30 hog", told.get(1));
        followed.leave(MAIN, 0xff00, 180);
        assertEquals(List.of("- 20 null", "20 30 hog", "10 10 ?"), told);
    }

    @Test
    void shouldTellInWhichSystemCallAThreadHadNoProcessor() {
        List<String> told = new ArrayList<>();
        CallStacks followed =
                new CallStacks(address -> 1, (thread, frame, seen) -> {}, new CallStacks.Absence() {
                    @Override
                    public void offCpu(
                            int thread,
                            CallStacks.Frame innermost,
                            long length,
                            TraceEvent.OffCpu event,
                            TraceEvent.SystemCall call) {
                        told.add("offCpu " + innermost.entry() + " " + length + " "
                                + (call == null ? "-" : SystemCallEvent.name(call)));
                    }

                    @Override
                    public void called(
                            int thread,
                            CallStacks.Frame innermost,
                            long length,
                            TraceEvent.SystemCall call) {
                        told.add("called " + innermost.entry() + " " + length + " "
                                + SystemCallEvent.name(call));
                    }
                });
        followed.enter(MAIN, 10, 0xff00, 100);
        followed.called(call(110, 20, 202));
        followed.offCpu(offCpu(132, 3, ""));
        followed.called(call(140, 60, 0));
        followed.pause(MAIN, 195, 10);
        followed.offCpu(offCpu(142, 57, ""));
        followed.offCpu(offCpu(201, 40, ""));
        followed.called(call(211, 30, 7));
        followed.enter(MAIN, 20, 0xfe00, 240);
        assertEquals(
                List.of(
                        "offCpu 10 3 -",
                        "offCpu 10 53 read",
                        "called 10 20 futex",
                        "called 10 55 read"),
                told);
        told.clear();
        followed.leave(MAIN, 0xfe00, 250);
        assertEquals(List.of("offCpu 20 40 poll", "called 20 30 poll"), told);
    }

    private static TraceEvent.SystemCall call(long begin, long length, long number) {
        return new TraceEvent.SystemCall(MAIN, 0, begin, length, number, 0);
    }

    private static TraceEvent.OffCpu offCpu(long begin, long length, String by) {
        long name = 0;
        for (int i = by.length() - 1; i >= 0; i--) {
            name = name << 8 | by.charAt(i);
        }
        return new TraceEvent.OffCpu(MAIN, 0, begin, length, name, 0);
    }

    @Test
    void shouldTakeTimesThatWereReadBeforeThePauseInFrontOfThem() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 100);
        stacks.pause(MAIN, 120, 50);
        CallStacks.Frame inner = stacks.enter(MAIN, 0x20, 0xfe00, 115);
        assertSame(inner, stacks.leave(MAIN, 0xfe00, 180));
        assertEquals(15, inner.elapsed());
        stacks.pause(MAIN, 200, 50);
        assertSame(outer, stacks.leave(MAIN, 0xff00, 190));
        assertEquals(40, outer.elapsed());
        assertEquals(25, outer.self());
    }

    @Test
    void shouldEndWhatWasLeftByATailCall() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        stacks.enter(MAIN, 0x20, 0xfe00, 2);
        CallStacks.Frame second = stacks.enter(MAIN, 0x30, 0xfe00, 3);
        assertSame(outer, second.caller());
        assertEquals(1, stacks.unseen());
        assertSame(second, stacks.leave(MAIN, 0xfe00, 4));
        assertEquals(1, stacks.open());
    }

    @Test
    void shouldEndWhatALongJumpLeft() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        stacks.enter(MAIN, 0x20, 0xfe00, 2);
        stacks.enter(MAIN, 0x30, 0xfd00, 3);
        assertSame(outer, stacks.leave(MAIN, 0xff00, 9));
        assertEquals(2, stacks.unseen());
        assertEquals(0, stacks.open());
    }

    @Test
    void shouldKnowWhatWasEnteredBefore() {
        assertNull(stacks.leave(MAIN, 0xfe00, 1));
        stacks.enter(MAIN, 0x10, 0xfd00, 2);
        assertNull(stacks.leave(MAIN, 0xff00, 3));
        assertEquals(2, stacks.before());
        assertEquals(1, stacks.unseen());
    }

    @Test
    void shouldTellOfEveryEnd() {
        List<String> told = new ArrayList<>();
        CallStacks followed = new CallStacks(
                address -> 1,
                (thread, frame, seen) -> told.add(
                        frame.entry() + " after " + frame.elapsed() + (seen ? "" : " unseen")));
        followed.enter(MAIN, 10, 0xff00, 1);
        followed.enter(MAIN, 20, 0xfe00, 2);
        assertEquals(20, followed.innermost(MAIN).entry());
        followed.enter(MAIN, 30, 0xfe00, 4);
        followed.leave(MAIN, 0xfe00, 8);
        assertEquals(10, followed.innermost(MAIN).entry());
        followed.enter(OTHER, 40, 0xff00, 9);
        followed.enter(OTHER, 50, 0xfe00, 16);
        followed.end();
        assertEquals(
                List.of("20 after 2 unseen", "30 after 4", "10 after 7 unseen"),
                told.stream().filter(line -> line.charAt(0) < '4').toList());
        assertEquals(
                List.of("50 after 0 unseen", "40 after 7 unseen"),
                told.stream().filter(line -> line.charAt(0) >= '4').toList());
        assertEquals(3, followed.never());
        assertNull(followed.innermost(MAIN));
    }

    @Test
    void shouldKeepThreadsAndStacksApart() {
        CallStacks.Frame first = stacks.enter(MAIN, 0x10, 0x1ff00, 1);
        CallStacks.Frame other = stacks.enter(OTHER, 0x10, 0x1ff00, 2);
        assertNotSame(first, other);
        CallStacks.Frame coroutine = stacks.enter(MAIN, 0x20, 0x2ff00, 3);
        assertNull(coroutine.caller());
        assertSame(first, stacks.leave(MAIN, 0x1ff00, 4));
        assertSame(coroutine, stacks.leave(MAIN, 0x2ff00, 5));
        assertEquals(0, stacks.unseen());
        assertEquals(1, stacks.forget(OTHER));
        assertEquals(0, stacks.open());
    }

    private static TraceEvent.OpenFunction open(long function, long stack, long time, int depth) {
        return new TraceEvent.OpenFunction(MAIN, 0, function, stack, time, depth, 0);
    }

    @Test
    void shouldBeginWithWhatIsOpen() {
        CallStacks.Frame outer = stacks.open(open(0x10, 0xff00, 5, 0));
        CallStacks.Frame inner = stacks.open(open(0x20, 0xfe00, 5, 1));
        assertTrue(outer.wasOpen() && inner.wasOpen());
        assertSame(outer, inner.caller());
        CallStacks.Frame called = stacks.enter(MAIN, 0x30, 0xfd00, 7);
        assertSame(inner, called.caller());
        assertTrue(!called.wasOpen());
        stacks.leave(MAIN, 0xfd00, 8);
        assertSame(inner, stacks.leave(MAIN, 0xfe00, 9));
        assertEquals(List.of(4L, 3L), List.of(inner.elapsed(), inner.self()));
        assertSame(outer, stacks.leave(MAIN, 0xff00, 11));
        assertEquals(6, outer.elapsed());
        assertEquals(List.of(2L, 0L), List.of(stacks.before(), stacks.unseen()));
    }

    /** Frames that are told again go on, without the time in between; others have ended. */
    @Test
    void shouldKnowWhatIsStillOpen() {
        List<Long> ended = new ArrayList<>();
        CallStacks followed =
                new CallStacks(address -> 1, (thread, frame, seen) -> ended.add(frame.entry()));
        CallStacks.Frame outer = followed.open(open(0x10, 0xff00, 10, 0));
        outer.note("known");
        followed.enter(MAIN, 0x20, 0xfe00, 11);
        followed.enter(MAIN, 0x30, 0xfd00, 12);
        followed.enter(MAIN, 0x40, 0xfc00, 13);
        followed.window(window(RingEventType.RECORD_STOP, MAIN, 20));
        followed.window(window(RingEventType.RECORD_START, MAIN, 119));
        assertSame(outer, followed.open(open(0x10, 0xff00, 120, 0)));
        assertEquals("known", outer.note());
        CallStacks.Frame second = followed.open(open(0x21, 0xfe00, 120, 1));
        assertNull(second.note());
        assertEquals(List.of(0x40L, 0x30L, 0x20L), ended);
        followed.open(open(0x31, 0xfd00, 120, 2));
        followed.window(window(RingEventType.RECORD_STOP, MAIN, 130));
        followed.window(window(RingEventType.RECORD_START, MAIN, 139));
        followed.open(open(0x10, 0xff00, 140, 0));
        followed.open(open(0x21, 0xfe00, 140, 1));
        assertEquals(second, followed.innermost(MAIN));
        assertEquals(0x31L, ended.get(3));
        CallStacks.Frame inner = followed.enter(MAIN, 0x50, 0xfd80, 145);
        assertSame(second, inner.caller());
        followed.leave(MAIN, 0xff00, 150);
        assertEquals(30, outer.elapsed());
    }

    private static TraceEvent.Recording window(RingEventType type, int thread, long time) {
        return new TraceEvent.Recording(type, thread, 0, 0, 0, time, 0);
    }

    /** Nobody sees what threads do between two windows: a call ends with the first one. */
    @Test
    void shouldEndWithTheWindowWhatNobodyTells() {
        List<Long> ended = new ArrayList<>();
        CallStacks followed = new CallStacks(address -> 1, (thread, frame, seen) -> {
            assertTrue(frame.isCut() && !seen);
            ended.addAll(List.of(frame.entry(), frame.until(), frame.elapsed(), frame.self()));
        });
        followed.enter(MAIN, 0x10, 0xff00, 10);
        followed.enter(OTHER, 0x20, 0xfe00, 11);
        followed.enter(OTHER, 0x30, 0xfd00, 12);
        followed.pause(OTHER, 13, 2);
        followed.window(window(RingEventType.RECORD_STOP, MAIN, 20));
        assertEquals(0x30, followed.innermost(OTHER).entry());
        followed.window(window(RingEventType.RECORD_START, MAIN, 1000));
        assertEquals(List.of(0x30L, 20L, 6L, 6L, 0x20L, 20L, 7L, 1L), ended);
        ended.clear();
        assertNull(followed.innermost(OTHER));
        assertNull(followed.enter(OTHER, 0x40, 0xfc00, 1001).caller());
        assertNull(followed.leave(MAIN, 0xff00, 1002));
        assertEquals(List.of(0x10L, 20L, 10L, 10L), ended);
        assertEquals(List.of(1L, 3L), List.of(followed.before(), followed.never()));
    }

    /** A stack that is not told when a window opens is not known: a coroutine's for instance. */
    @Test
    void shouldForgetOtherStacksBetweenWindows() {
        List<Long> ended = new ArrayList<>();
        CallStacks followed = new CallStacks(
                address -> address >>> 16, (thread, frame, seen) -> ended.add(frame.elapsed()));
        followed.enter(MAIN, 0x10, 0x2ff00, 1);
        CallStacks.Frame outer = followed.enter(MAIN, 0x20, 0x1ff00, 2);
        followed.window(window(RingEventType.RECORD_STOP, OTHER, 5));
        followed.window(window(RingEventType.RECORD_START, MAIN, 100));
        assertSame(outer, followed.open(open(0x20, 0x1ff00, 105, 0)));
        assertSame(outer, followed.enter(MAIN, 0x30, 0x1fe00, 106).caller());
        assertEquals(List.of(4L), ended);
        followed.leave(MAIN, 0x1ff00, 110);
        assertEquals(8, outer.elapsed());
    }

    /** A stack that is not told stays: a coroutine's for instance. */
    @Test
    void shouldKeepOtherStacks() {
        CallStacks.Frame coroutine = stacks.enter(MAIN, 0x10, 0x2ff00, 1);
        stacks.open(open(0x20, 0x1ff00, 2, 0));
        stacks.enter(MAIN, 0x30, 0x1fe00, 3);
        assertSame(coroutine, stacks.leave(MAIN, 0x2ff00, 4));
        assertEquals(0, stacks.unseen());
    }

    /** An enter behind a longjmp or a jump out of open functions ends them. */
    @Test
    void shouldEndWhatWasLeftUnseen() {
        CallStacks.Frame outer = stacks.open(open(0x10, 0xff00, 5, 0));
        stacks.open(open(0x20, 0xfe00, 5, 1));
        stacks.open(open(0x30, 0xfd00, 5, 2));
        assertSame(outer, stacks.enter(MAIN, 0x40, 0xfe00, 7).caller());
        assertEquals(2, stacks.unseen());
        stacks.leave(MAIN, 0xfe00, 8);
        assertSame(outer, stacks.leave(MAIN, 0xff00, 9));
    }
}
