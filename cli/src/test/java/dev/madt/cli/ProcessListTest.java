package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RingEventType;
import dev.madt.tracker.SharedLayout;
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
        processes.note(FIRST, new RingEvent(type, FIRST, 0, subject, size, 0, 0, "/bin/second", 0));
    }

    @Test
    void shouldExpectAChildUntilItTakesPart() {
        assertEquals(List.of(CHILD), processes.expected());
        processes.takesPart(CHILD, FIRST, "/bin/first", "");
        assertEquals(List.of(), processes.expected());
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
    void shouldNotExpectWhatHasEnded() {
        note(RingEventType.WAITED, CHILD, 9);
        assertEquals(List.of(), processes.expected());
        assertEquals("signal SIGKILL", processes.ending(CHILD));
    }
}
