package dev.madt.guard;

import dev.madt.natives.Futex;
import dev.madt.natives.SessionSpaceException;
import dev.madt.natives.SharedMapping;
import dev.madt.session.SessionDirectory;
import dev.madt.trace.layout.SharedLayout.Control;
import dev.madt.trace.layout.SharedLayout.Switch;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Switches instruments on and off while a recording goes on, in all its processes and those that it
 * will have: a word of shared memory each, which trampolines ask. A process that has triggers of
 * the source is told that it has changed, since their text follows. The methods may be called by
 * any thread.
 */
public final class SwitchBoard {
    private static final long MILLI = 1_000_000;
    /** So long a process may take to copy the switches that it begins with. */
    private static final long AGAIN = 20 * MILLI;
    /** So long before a process may tell when the first one began. */
    private static final long BEGIN = 2 * MILLI;

    private final SessionDirectory directory;
    private final InstrumentSwitches switches;
    private final Thread clock;
    private volatile boolean over;

    public SwitchBoard(SessionDirectory directory, InstrumentSwitches switches) {
        this.directory = directory;
        this.switches = switches;
        clock = new Thread(() -> followTime(switches.alarms()), "switches");
        clock.setDaemon(true);
    }

    /** Begins to switch by time. */
    public void start() {
        if (!switches.alarms().isEmpty()) {
            clock.start();
        }
    }

    /** Switches by time no more. */
    public void stop() {
        over = true;
        clock.interrupt();
        synchronized (this) {
            // whoever is about to switch has done so
        }
    }

    /** Begins with one more instrument, before any process has it. */
    public synchronized void add(int instrument) throws IOException {
        begin(SessionDirectory.FIRST_AREA, instrument);
        for (int serial = 0; serial < directory.processes() && !over; serial++) {
            if (directory.isComplete(serial)) {
                try {
                    begin(serial, instrument);
                } catch (SessionSpaceException e) {
                    continue; // nor is there room for what it needs to begin
                }
            }
        }
        List<InstrumentSwitches.Alarm> alarms = switches.alarms().stream()
                .filter(alarm -> alarm.instrument() == instrument)
                .toList();
        if (!alarms.isEmpty()) {
            Thread more = new Thread(() -> followTime(alarms), "switches");
            more.setDaemon(true);
            more.start();
        }
    }

    private void begin(int serial, int instrument) throws IOException {
        int at = Switch.BYTES * instrument;
        try (SharedMapping mapped = directory.switches(serial, switches.count())) {
            mapped.bytes().putInt(at + Switch.OFF, switches.off().get(instrument) ? 1 : 0);
            mapped.bytes().putInt(at + Switch.TURNS, switches.turned().get(instrument) ? 1 : 0);
        }
    }

    /** Switches some instruments. */
    public synchronized void turn(List<Integer> instruments, boolean on) throws IOException {
        turn(SessionDirectory.FIRST_AREA, instruments, on);
        for (int serial = 0; serial < directory.processes() && !over; serial++) {
            if (!directory.isComplete(serial)) {
                continue; // it begins with those of the first area
            }
            try {
                turn(serial, instruments, on);
                tell(serial);
            } catch (SessionSpaceException e) {
                continue; // nor is there room for what it needs to begin
            }
        }
        directory.doorbell().signal();
    }

    private void turn(int serial, List<Integer> instruments, boolean on) throws IOException {
        try (SharedMapping mapped = directory.switches(serial, switches.count())) {
            for (int instrument : instruments) {
                turn(mapped.bytes(), instrument, on);
            }
        }
    }

    /** The words are there before the process is looked at, which does so the other way around. */
    private void tell(int serial) throws IOException {
        try (SharedMapping control = directory.control(serial)) {
            if (control.futex(Control.TRIGGERS).get() != 0) {
                Futex switched = control.futex(Control.SWITCHED);
                switched.set(switched.get() + 1);
            }
        }
    }

    private void turn(ByteBuffer bytes, int instrument, boolean on) {
        int at = Switch.BYTES * instrument;
        int last = switches.lastHit(instrument);
        if (on && last > 0 && bytes.getLong(at + Switch.HITS) >= last) {
            bytes.putLong(at + Switch.HITS, 0); // it begins anew
        }
        bytes.putInt(at + Switch.OFF, on ? 0 : 1);
        VarHandle.fullFence();
    }

    /** Returns whether each instrument is on in a process. */
    public synchronized boolean[] areOn(int serial) throws IOException {
        boolean[] on = new boolean[switches.count()];
        try (SharedMapping mapped = directory.switches(serial, on.length)) {
            for (int i = 0; i < on.length; i++) {
                on[i] = mapped.bytes().getInt(Switch.BYTES * i + Switch.OFF) == 0;
            }
        }
        return on;
    }

    private void followTime(List<InstrumentSwitches.Alarm> all) {
        List<InstrumentSwitches.Alarm> alarms = new ArrayList<>(all);
        alarms.sort(Comparator.comparingLong(InstrumentSwitches.Alarm::nanos));
        try {
            while (directory.begun() == 0 && !over) {
                sleep(BEGIN);
            }
            for (int i = 0; i < alarms.size() && !over; ) {
                long nanos = alarms.get(i).nanos();
                int end = i;
                while (end < alarms.size() && alarms.get(end).nanos() == nanos) {
                    end++;
                }
                sleep(directory.begun() + nanos - System.nanoTime());
                ring(alarms.subList(i, end));
                sleep(Math.min(AGAIN, end < alarms.size() ? gap(alarms, end) : AGAIN));
                ring(alarms.subList(i, end));
                i = end;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            over = true; // the directory has gone with the recording
        }
    }

    private static long gap(List<InstrumentSwitches.Alarm> alarms, int end) {
        return (alarms.get(end).nanos() - alarms.get(end - 1).nanos()) / 2;
    }

    private void ring(List<InstrumentSwitches.Alarm> alarms) throws IOException {
        for (boolean off : new boolean[] {false, true}) {
            turn(
                    alarms.stream()
                            .filter(alarm -> alarm.off() == off)
                            .map(InstrumentSwitches.Alarm::instrument)
                            .toList(),
                    !off);
        }
    }

    private static void sleep(long nanos) throws InterruptedException {
        if (nanos > 0) {
            Thread.sleep(nanos / MILLI, (int) (nanos % MILLI));
        }
    }
}
