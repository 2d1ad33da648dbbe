package dev.madt.collector;

import dev.madt.modules.ModuleTable;
import dev.madt.modules.NamedFunctions;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.session.RecordingClock;
import dev.madt.session.Trigger;
import dev.madt.session.Windows;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;
import dev.madt.view.text.LineDetailOptions;
import org.eclipse.collections.impl.map.mutable.primitive.LongBooleanHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;

/**
 * {@code --stop return:GLOB>TIME}: the first call of such a function in a window that takes longer
 * ends it. It is found when its leave comes, while the program goes on. What threads did later than
 * that is none of the window's; what others did earlier may come behind it, and is.
 */
final class SlowCall {
    private final NamedFunctions functions;
    private final Trigger stop;
    private final WindowLog log;
    private final long most;
    private final ModuleTable modules;
    private final RecordingClock clock;
    private final LongBooleanHashMap known = new LongBooleanHashMap();
    /** Threads that have come to what they did later. */
    private final IntHashSet behind = new IntHashSet();
    /** Says when the window opened, and when such a call ended. */
    private long opened;

    private long end;
    private boolean found;
    private String news;

    private SlowCall(Trigger stop, ModuleTable modules, RecordingClock clock, WindowLog log) {
        this.stop = stop;
        this.log = log;
        this.functions = new NamedFunctions("--stop " + stop.text(), stop.glob());
        this.most = stop.nanos();
        this.modules = modules;
        this.clock = clock;
    }

    /** Null if no such call is waited for. */
    static SlowCall of(Windows windows, ModuleTable modules, RecordingClock clock, WindowLog log) {
        Trigger stop = windows.stop();
        return stop == null || !stop.isSlowCall() ? null : new SlowCall(stop, modules, clock, log);
    }

    /** A function has been left by a return, at this time of the counter. */
    void left(CallStacks.Frame frame, long time) {
        boolean whole = !frame.wasOpen() && Long.compareUnsigned(frame.entered(), opened) >= 0;
        if (found || !whole || clock.nanos(frame.elapsed()) <= most || !isNamed(frame.entry())) {
            return;
        }
        found = true;
        end = time;
        ElfSymbol function = modules.at(frame.entry()).function(frame.entry());
        news = LineDetailOptions.readable(function.name()) + " took "
                + Windows.span(clock.nanos(frame.elapsed()));
        log.closeSlow(time, stop.text().replace(stop.glob(), function.name()));
    }

    private boolean isNamed(long entry) {
        return known.getIfAbsentPut(entry, () -> functions.has(modules.at(entry), entry));
    }

    /**
     * Returns whether what a thread did now came later than the end of the window.
     *
     * @param time when that was, 0 if it is not known: then the thread's last time counts
     */
    boolean isBehind(int thread, long time) {
        if (found && time != 0 && Long.compareUnsigned(time, end) > 0) {
            behind.add(thread);
        }
        return found && behind.contains(thread);
    }

    /** Windows begin and end. */
    void note(TraceEvent event) {
        if (!(event instanceof TraceEvent.Recording recording)) {
            return;
        }
        if (recording.type() == RingEventType.RECORD_START) {
            opened = recording.time();
        } else {
            found = false;
            behind.clear();
        }
    }

    /** Returns what was found, for people, once for each window; null if there is nothing new. */
    String news() {
        String text = news;
        news = null;
        return text;
    }
}
