package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TranscriptTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "S$1:limit,main+14,a.c:3|S$1:limit,main+29~,a.c:3|true",
                "S$1:limit,main+14,a.c:3|S$2:limit,main+14,a.c:3|false",
                "S$1:limit,main+14,a.c:3|S$1:limit,main+14,a.c:4|false",
                "51.5 %  2,000  table|51.6 %      2,000   table|true",
                "51.5 %  2,000  table|52.1 %  2,000  table|false",
                "51.5 %  2,000  table|51.5 %  2,001  table|false",
                "strides: +64 × 3|strides: +65 × 3|false",
                "… 12 more|… 13 more|true",
                "madt: wrote a.madt: 12 accesses, complete|madt: wrote a.madt: 1,213 accesses,"
                        + " complete|true",
                "madt: wrote a.madt: 12 accesses, complete|madt: wrote a.madt: 1,213 accesses,"
                        + " truncated|false",
                "100.0 %  7  total|100.0 %  9  total|true",
                "func@0x1149|func@0x1153|true",
                "7  a|7  a  b|false",
                "B$1:f,main,t=12|B$1:f,main,t=99|true",
                "B$1:f,main,t=12|B$1:f,g,t=12|false",
                "X$4:f,61,22|X$4:f,70,9|true",
                "X$4:f,61,22|X$4:g,61,22|false",
                "f  2  85 ns  1.2 µs|f  2  1,020 ns  13 µs|true",
                "f  2  85 ns|f  3  85 ns|false",
                "  7 /p/a: on, 5 events, a.madt|  8 /p/a: on, 1,700 events, a.madt|true",
                "  7 /p/a: on, 5 events, a.madt|  7 /p/a: off, 5 events, a.madt|false",
            })
    void shouldAgreeOnAllButWhatDiffersBetweenRuns(String shown, String printed, boolean agrees) {
        assertEquals(agrees, Transcript.agrees(List.of(shown), List.of(printed)));
    }

    @Test
    void shouldTakeDotsForAnyLines() {
        List<String> printed = List.of("1  a", "2  b", "", "3  c");
        assertEquals(true, Transcript.agrees(List.of("…", "2  b", "…"), printed));
        assertEquals(true, Transcript.agrees(List.of("1  a", "…", "3  c"), printed));
        assertEquals(true, Transcript.agrees(List.of("1  a", "2  b", "3  c", "…"), printed));
        assertEquals(false, Transcript.agrees(List.of("1  a", "…", "4  d"), printed));
        assertEquals(false, Transcript.agrees(List.of("1  a", "2  b"), printed));
        assertEquals(false, Transcript.agrees(List.of(), printed));
    }

    /** Threads and processes have other numbers each time; what is counted beside them has not. */
    @Test
    void shouldNotCompareNumbersOfThreads() {
        List<String> shown = List.of("  loads  thread", "    254  22501", "     40  7");
        assertEquals(
                true,
                Transcript.agrees(shown, List.of("  loads  thread", "    254  3", "     40  4")));
        assertEquals(
                false,
                Transcript.agrees(
                        shown, List.of("  loads  thread", "    255  22501", "     40  7")));
        assertEquals(
                true,
                Transcript.agrees(
                        List.of("  loads  process", "    254  225 /bin/ls"),
                        List.of("  loads  process", "    31  7 /bin/ls")));
        assertEquals(
                false,
                Transcript.agrees(
                        List.of("  loads  process", "    254  225 /bin/ls"),
                        List.of("  loads  process", "    254  225 /bin/dd")));
        assertEquals(
                false,
                Transcript.agrees(
                        List.of("  loads  name", "    254  22501"),
                        List.of("  loads  name", "    254  3")));
    }
}
