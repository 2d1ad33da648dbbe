package dev.madt.view.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AwayLineTest {
    private static final int WIDTH = 30;

    private final List<Away> times = new ArrayList<>();

    /** A column is 100 ns, and the first one begins at 1000. */
    private String drawn() {
        return new String(new AwayLine(times, 1000, 0.01, WIDTH).draw()).stripTrailing();
    }

    private void away(long from, long to, String why) {
        times.add(new Away(null, from, to, why));
    }

    @Test
    void shouldBeBlankWhereTheThreadRan() {
        assertEquals("", drawn());
    }

    @Test
    void shouldSayWhyAThreadDidNotRun() {
        away(1000, 1300, Away.WAITS);
        away(1400, 1500, Away.WAITS_IN + "read");
        away(1600, 1800, Away.PREEMPTED + "hog");
        away(1900, 2000, Away.IN + "poll");
        away(2100, 2200, Away.MADT);
        assertEquals("WWW W PP S M", drawn());
    }

    @Test
    void shouldNameWhatItWaitedInWhereThereIsRoom() {
        away(1000, 1900, Away.WAITS_IN + "futex");
        away(1900, 2600, Away.PREEMPTED + "hog");
        away(2700, 3300, Away.WAITS_IN + "read");
        assertEquals("W futex WP hog P WWWWWW", drawn());
    }

    /** One of several that take up a stretch: what took most of it, if that is most of it. */
    @Test
    void shouldNameWhatTookMostOfTheTime() {
        away(1000, 1300, Away.WAITS_IN + "poll");
        away(1300, 1500, Away.WAITS_IN + "read");
        away(1500, 2000, Away.WAITS_IN + "poll");
        away(2000, 3000, Away.IN + "poll");
        away(3000, 3500, Away.WAITS_IN + "poll");
        away(3500, 4000, Away.WAITS_IN + "read");
        assertEquals("WW poll WWSS poll SSWWWWWWWWWW", drawn());
    }

    @Test
    void shouldBeSmallWhereItIsLessThanHalf() {
        away(1009, 1018, Away.WAITS);
        away(1100, 1120, Away.WAITS);
        away(1130, 1159, Away.WAITS);
        away(1210, 1240, Away.WAITS);
        away(1240, 1261, Away.WAITS);
        away(1300, 1330, Away.WAITS);
        away(1330, 1370, Away.PREEMPTED + "hog");
        assertEquals(" wWp", drawn());
    }

    /** A wait for MadT is a time without a processor, too. */
    @Test
    void shouldCallWaitsForMadTSo() {
        away(1000, 1100, Away.WAITS);
        away(1000, 1100, Away.MADT);
        assertEquals("M", drawn());
    }

    @Test
    void shouldLeaveOutWhatIsNotInTheRange() {
        away(0, 900, Away.WAITS);
        away(900, 1100, Away.WAITS);
        away(3900, 5000, Away.WAITS);
        away(4000, 5000, Away.WAITS);
        assertEquals("W                            W", drawn());
    }
}
