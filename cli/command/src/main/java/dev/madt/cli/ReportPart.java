package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.view.Reading;
import java.util.List;

/** One of the tables that {@code madt report} counts in one pass. */
interface ReportPart {
    /** Adds to the reading of a trace who counts there; traces are read one after the other. */
    void addTo(Reading reading);

    /** Returns whether it has nothing to show of traces that hold calls alone. */
    boolean needsAccesses();

    /** Fails where what was read makes no such table, and says what is missing in it. */
    void check(TraceReadings readings, Messages messages) throws Failure;

    /** The table, when all traces have been read. */
    String render(List<String> traces, boolean coloured) throws Failure;

    /** Says what else is to be known, when the table has been written. */
    void tell(Messages messages);
}
