package dev.madt.view.timeline;

import java.io.IOException;

/** Is told of the calls of a timeline, in the order of the trace. */
interface CallSink {
    /** Something selected happens here; positions may go back from thread to thread. */
    default void at(long position) {}

    /** A call begins; its callers have begun before. */
    default void begin(Call call) {}

    /** A call that has begun is at its end. Within a lane, the call that began last ends first. */
    void end(Call call);

    /** Everything has been told. */
    default void finish() throws IOException {}
}
