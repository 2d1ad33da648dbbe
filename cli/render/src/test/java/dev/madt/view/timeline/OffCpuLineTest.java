package dev.madt.view.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffCpuLineTest {
    private static final int WIDTH = 30;

    private final List<OffCpu> times = new ArrayList<>();

    /** A column is 100 ns, and the first one begins at 1000. */
    private String drawn() {
        return new String(new OffCpuLine(times, 1000, 0.01, WIDTH).draw()).stripTrailing();
    }

    private void offCpu(long from, long to, String why) {
        times.add(new OffCpu(null, from, to, why));
    }

    @Test
    void shouldBeBlankWhereTheThreadRan() {
        assertEquals("", drawn());
    }

    @Test
    void shouldSayWhyAThreadDidNotRun() {
        offCpu(1000, 1300, OffCpu.WAITS);
        offCpu(1400, 1500, OffCpu.WAITS_IN + "read");
        offCpu(1600, 1800, OffCpu.PREEMPTED + "hog");
        offCpu(1900, 2000, OffCpu.IN + "poll");
        offCpu(2100, 2200, OffCpu.MADT);
        assertEquals("WWW W PP S M", drawn());
    }

    @Test
    void shouldNameWhatItWaitedInWhereThereIsRoom() {
        offCpu(1000, 1900, OffCpu.WAITS_IN + "futex");
        offCpu(1900, 2600, OffCpu.PREEMPTED + "hog");
        offCpu(2700, 3300, OffCpu.WAITS_IN + "read");
        assertEquals("W futex WP hog P WWWWWW", drawn());
    }

    /** One of several that take up a range: what took most of it, if that is most of it. */
    @Test
    void shouldNameWhatTookMostOfTheTime() {
        offCpu(1000, 1300, OffCpu.WAITS_IN + "poll");
        offCpu(1300, 1500, OffCpu.WAITS_IN + "read");
        offCpu(1500, 2000, OffCpu.WAITS_IN + "poll");
        offCpu(2000, 3000, OffCpu.IN + "poll");
        offCpu(3000, 3500, OffCpu.WAITS_IN + "poll");
        offCpu(3500, 4000, OffCpu.WAITS_IN + "read");
        assertEquals("WW poll WWSS poll SSWWWWWWWWWW", drawn());
    }

    @Test
    void shouldBeSmallWhereItIsLessThanHalf() {
        offCpu(1009, 1018, OffCpu.WAITS);
        offCpu(1100, 1120, OffCpu.WAITS);
        offCpu(1130, 1159, OffCpu.WAITS);
        offCpu(1210, 1240, OffCpu.WAITS);
        offCpu(1240, 1261, OffCpu.WAITS);
        offCpu(1300, 1330, OffCpu.WAITS);
        offCpu(1330, 1370, OffCpu.PREEMPTED + "hog");
        assertEquals(" wWp", drawn());
    }

    /** A wait for MadT is a time without a processor, too. */
    @Test
    void shouldCallWaitsForMadTSo() {
        offCpu(1000, 1100, OffCpu.WAITS);
        offCpu(1000, 1100, OffCpu.MADT);
        assertEquals("M", drawn());
    }

    @Test
    void shouldLeaveOutWhatIsNotInTheRange() {
        offCpu(0, 900, OffCpu.WAITS);
        offCpu(900, 1100, OffCpu.WAITS);
        offCpu(3900, 5000, OffCpu.WAITS);
        offCpu(4000, 5000, OffCpu.WAITS);
        assertEquals("W                            W", drawn());
    }
}
