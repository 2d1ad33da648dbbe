package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessListTest {
    private static final int FIRST = 4_001;
    private static final int CHILD = 4_013;

    private final ProcessList processes = new ProcessList();

    @BeforeEach
    void fork() {
        processes.takesPart(FIRST, 1, "/bin/first", "first.madt");
        note(RingEventType.FORK, CHILD, 0);
    }

    private void note(RingEventType type, int subject, int size) {
        processes.note(
                FIRST,
                "/bin/first",
                TraceEvent.of(type, FIRST, 0, subject, size, 0, 0, "/bin/second", 0));
    }

    @Test
    void shouldExpectAChildUntilItTakesPart() {
        assertEquals(List.of(CHILD), processes.expected());
        processes.takesPart(CHILD, FIRST, "/bin/first", "");
        assertEquals(List.of(), processes.expected());
    }

    @Test
    void shouldNameTheProgramThatMadeAChildThoughItsEventComesLate() {
        processes.takesPart(FIRST, 1, "/bin/next", "first.madt.2");
        note(RingEventType.EXIT, CHILD + 1, 1);
        assertEquals("/bin/first", processes.entries().get(3).program());
    }

    @Test
    void shouldExpectAChildThatExecutesATracedProgram() {
        note(RingEventType.EXEC, CHILD, 0);
        assertEquals(List.of(CHILD), processes.expected());
    }

    @Test
    void shouldNotExpectAnUntracedProgram() {
        note(RingEventType.EXEC, CHILD, SharedLayout.EXEC_UNTRACED);
        assertEquals(List.of(), processes.expected());
    }

    @Test
    void shouldNotExpectAProgramThatIsPassedBy() {
        processes.passes(CHILD, FIRST, "/bin/second");
        assertEquals(List.of(), processes.expected());
        assertEquals(1, processes.passed().get("/bin/second"));
        note(RingEventType.WAITED, CHILD, 0);
        assertEquals("exit 0", processes.ending(CHILD));
    }

    @Test
    void shouldListEachImageOfAProcessThatIsPassedBy() {
        processes.passes(CHILD, FIRST, "/bin/second");
        processes.passes(CHILD, FIRST, "/bin/third");
        assertEquals(
                List.of("running", ProcessList.EXEC, ProcessList.PASSED),
                processes.entries().stream().map(ProcessImage::ended).toList());
    }

    @Test
    void shouldNameTheParentsTraceForAChildInItsMemory() {
        note(RingEventType.FORK, CHILD + 1, 1);
        note(RingEventType.EXEC, CHILD + 2, 0);
        note(RingEventType.EXEC, CHILD + 3, 0);
        note(RingEventType.EXIT, CHILD + 3, 127); // what it executed was not there
        processes.takesPart(CHILD + 4, FIRST, "/bin/second", "second.madt");
        note(RingEventType.EXIT, CHILD + 5, 3);
        assertEquals(
                List.of(
                        "first.madt",
                        "",
                        "first.madt",
                        "",
                        "first.madt",
                        "second.madt",
                        "first.madt"),
                processes.entries().stream().map(ProcessImage::trace).toList());
        assertEquals("/bin/first", processes.entries().get(4).program());
    }

    @Test
    void shouldNotExpectWhatHasEnded() {
        note(RingEventType.WAITED, CHILD, 9);
        assertEquals(List.of(), processes.expected());
        assertEquals("signal SIGKILL", processes.ending(CHILD));
    }
}
