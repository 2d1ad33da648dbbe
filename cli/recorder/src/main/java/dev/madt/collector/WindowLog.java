package dev.madt.collector;

import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.session.RecordingClock;
import dev.madt.session.StartPoint;
import dev.madt.session.Windows;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The windows of one process: when each opened and closed, and why. Times are ticks of the
 * processor's counter.
 */
final class WindowLog {
    /** A trace tells of so many; it counts them all. */
    private static final int MOST = 1000;

    /** @param closed 0 while it is open */
    private record Window(long opened, String opener, long closed, String closer) {}

    private final ModuleTable modules;
    private final Windows asked;
    private final List<Window> windows = new ArrayList<>();
    private int count;
    private boolean open;
    /** Says when a slow call ended the window that was last; 0 if none did. */
    private long slowEnd;

    WindowLog(ModuleTable modules, Windows asked) {
        this.modules = modules;
        this.asked = asked;
    }

    /**
     * Returns whether no more windows will open: as many have as may.
     *
     * @param control the process's page, which counts those as well that its parent opened
     */
    boolean isLast(ByteBuffer control) {
        return asked.isLast(control.getInt(SharedLayout.Control.OPENED));
    }

    void open(TraceEvent.Recording event) {
        count++;
        open = true;
        slowEnd = 0;
        if (windows.size() < MOST) {
            windows.add(new Window(event.time(), cause(event, false), 0, ""));
        }
    }

    /** Returns the event as the trace has it: with the cause and the time of what closed it. */
    TraceEvent close(TraceEvent.Recording event) {
        if (open) {
            close(event.time(), cause(event, true));
            return event;
        }
        return slowEnd == 0
                ? event
                : new TraceEvent.Recording(
                        event.type(),
                        event.thread(),
                        event.epoch(),
                        event.caller(),
                        StartPoint.RETURN.code(),
                        slowEnd,
                        event.code());
    }

    /** A call that took too long ends the window; what the target says of it does not count. */
    void closeSlow(long time, String cause) {
        close(time, cause);
        slowEnd = time;
    }

    private void close(long time, String cause) {
        if (count <= MOST) {
            Window last = windows.remove(windows.size() - 1);
            windows.add(new Window(last.opened, last.opener, time, cause));
        }
        open = false;
    }

    /** Returns whether it was the last one, if nobody asks for more. */
    boolean areOver() {
        return asked.isSingle() && count > 0 && !open;
    }

    int count() {
        return count;
    }

    /** As the option put it, with the name of the function. */
    private String cause(TraceEvent.Recording event, boolean stop) {
        StartPoint point = StartPoint.of(event.cause());
        if (point == null) {
            return "unknown";
        }
        return switch (point) {
            case FUNC -> point.word() + ":" + function(event.caller());
            case RETURN, AFTER, SIGNAL, READ ->
                stop ? asked.stop().text() : asked.start().text();
            case FOR -> "for " + Windows.span(asked.lasts());
            default -> point.word();
        };
    }

    private String function(long address) {
        LoadedModule module = modules.at(address);
        ElfSymbol symbol = module == null ? null : module.function(address);
        return symbol == null ? "?" : symbol.name();
    }

    /** Lines of META, key {@code windows}. */
    String text(RecordingClock clock) {
        return windows.stream()
                .map(window -> clock.since(window.opened) + ","
                        + (window.closed == 0 ? "" : clock.since(window.closed)) + ","
                        + PrintableText.field(window.opener) + ","
                        + PrintableText.of(window.closer))
                .collect(Collectors.joining("\n"));
    }
}
