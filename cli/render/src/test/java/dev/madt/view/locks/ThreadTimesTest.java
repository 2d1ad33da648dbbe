package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadTimesTest {
    private static final int OTHER = 7;

    private final ThreadTimes times = new ThreadTimes();
    private final Map<String, Long> sums = new HashMap<>();

    private Map<String, Long> between(long from, long to) {
        sums.clear();
        times.add(OTHER, from, to, sums);
        return sums;
    }

    @Test
    void shouldSayThatAThreadRanOfWhichNothingElseIsKnown() {
        times.called(1, 0, 100, "read");
        assertEquals(Map.of("ran", 50L), between(10, 60));
        assertEquals("ran 100 %", ThreadTimes.text(sums));
    }

    @Test
    void shouldCountNoTimeTwice() {
        times.called(OTHER, 100, 50, "futex");
        times.offCpu(OTHER, 110, 30, "waited"); // within the call
        times.offCpu(OTHER, 140, 40, "preempted by cc1"); // partly
        assertEquals(
                Map.of("ran", 20L + 20, "in futex", 50L, "preempted by cc1", 30L),
                between(80, 200));
        assertEquals("in futex 42 %, ran 33 %, preempted by cc1 25 %", ThreadTimes.text(sums));
    }

    @Test
    void shouldTakeThePartsThatLieWithin() {
        times.called(OTHER, 0, 100, "futex");
        times.called(OTHER, 200, 100, "write");
        assertEquals(Map.of("in futex", 10L, "ran", 100L, "in write", 5L), between(90, 205));
        assertEquals(Map.of("in write", 100L), between(200, 300));
        assertEquals(Map.of(), between(50, 50));
        assertEquals("", ThreadTimes.text(sums));
    }

    @Test
    void shouldTellMostOfIt() {
        assertEquals(
                "in epoll_wait 94 %",
                ThreadTimes.text(Map.of("in epoll_wait", 94L, "ran", 5L, "waited", 1L)));
    }
}
