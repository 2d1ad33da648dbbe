package dev.madt.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.TraceEvent.Exit;
import dev.madt.trace.event.TraceEvent.Pause;
import dev.madt.trace.event.TraceEvent.Recording;
import dev.madt.trace.event.TraceEvent.SystemCall;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipelinesTest {
    private static final long SECOND = 1_000_000_000;

    private final Pipelines pipelines = new Pipelines(ticks -> ticks * SECOND / 1000);

    private static Stage stage(String name, String input, String output, TraceEvent... events) {
        Stage stage = new Stage(1 << 30, name, input, output);
        stage.take(new Recording(RingEventType.RECORD_START, 7, 0, 0, 0, 1000, 0));
        for (TraceEvent event : events) {
            stage.take(event);
        }
        return stage;
    }

    private static SystemCall call(int number, long first, long begin, long length) {
        return new SystemCall(7, 0, begin, length, number, first);
    }

    private static Exit exit(long time) {
        return new Exit(7, 0, 7, 0, time);
    }

    @Test
    void shouldSayWhichStageWorks() {
        pipelines.add(stage("sort", "pipe:[2]", "", call(0, 0, 1010, 5000), exit(6050)));
        pipelines.add(stage(
                "cat", "", "pipe:[1]", call(1, 1, 1100, 2000), call(0, 0, 3120, 99), exit(3300)));
        pipelines.add(stage(
                "sed",
                "pipe:[1]",
                "pipe:[2]",
                call(19, 0, 1010, 100),
                call(230, 0, 2000, 3000),
                new Pause(7, 0, 5100, 400),
                call(20, 1, 5500, 20),
                exit(6000)));
        assertEquals(
                List.of("cat | sed | sort: sed 4.48 s of its own work, cat 300 ms, sort 50 ms;"
                        + " else they waited for each other."),
                pipelines.sentences());
    }

    @Test
    void shouldTellStagesOfOneNameApart() {
        pipelines.add(stage("sh", "", "pipe:[1]", exit(1010)));
        pipelines.add(stage("tr", "", "pipe:[1]", exit(1005)));
        pipelines.add(stage("sh", "pipe:[1]", "", exit(1020)));
        pipelines.add(stage("alone", "", "", exit(9000)));
        pipelines.add(stage("lost", "pipe:[8]", "", exit(9000)));
        pipelines.add(stage("round", "", "pipe:[9]", exit(9000)));
        assertEquals(
                List.of("sh[1] | sh[2]: sh[2] 20 ms of its own work, sh[1] 10 ms;"
                        + " else they waited for each other."),
                pipelines.sentences());
    }

    /** Two that talk to each other both ways have no first stage. */
    @Test
    void shouldSayNothingOfCircles() {
        pipelines.add(stage("ask", "pipe:[1]", "pipe:[2]", exit(2000)));
        pipelines.add(stage("answer", "pipe:[2]", "pipe:[1]", exit(2000)));
        assertEquals(List.of(), pipelines.sentences());
    }
}
