package dev.madt.guard;

import dev.madt.console.Failure;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.session.StartPoint;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.Place;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Says of each instrument when it is switched on and off: {@code --from} and {@code --until}. */
public final class InstrumentSwitches {
    private final List<SwitchTime> from = new CopyOnWriteArrayList<>();
    private final List<SwitchTime> until = new CopyOnWriteArrayList<>();

    /**
     * Says where an instrument is switched.
     *
     * @param off whether it is switched off
     */
    public record Turn(int instrument, boolean off, Place place) {}

    /**
     * Says when an instrument is switched.
     *
     * @param nanos since the first process began
     * @param off whether it is switched off
     */
    public record Alarm(long nanos, int instrument, boolean off) {}

    public InstrumentSwitches(List<Instrument> asked) {
        asked.forEach(this::add);
    }

    /** Adds those of one more instrument. */
    public synchronized void add(Instrument instrument) {
        from.add(time(instrument.selection().from()));
        until.add(time(instrument.selection().until()));
    }

    /** Takes out those of the last one. */
    public synchronized void removeLast() {
        from.remove(from.size() - 1);
        until.remove(until.size() - 1);
    }

    /** It has been read before. */
    private static SwitchTime time(String text) {
        try {
            return SwitchTime.of(text, "", 1);
        } catch (Failure e) {
            throw new IllegalStateException(text, e);
        }
    }

    /** Returns how many switches there are: one for each instrument. */
    public int count() {
        return from.size();
    }

    /** Returns the instruments that are off when a process begins. */
    public BitSet off() {
        return those(begin -> begin.point() != null);
    }

    /** Returns the instruments that something that the program does switches on. */
    public BitSet turned() {
        return those(begin -> begin.place() != null);
    }

    private BitSet those(Predicate<SwitchTime> begin) {
        BitSet numbers = new BitSet();
        for (int i = 0; i < from.size(); i++) {
            numbers.set(i, from.get(i) != null && begin.test(from.get(i)));
        }
        return numbers;
    }

    /** Returns where they are switched. */
    public List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < from.size(); i++) {
            for (SwitchTime time : both(i)) {
                if (time != null && time.place() != null) {
                    turns.add(new Turn(i, time == until.get(i), time.place()));
                }
            }
        }
        return turns;
    }

    /** Returns where one of them is switched. */
    public List<Turn> turns(Instrument instrument) {
        return turns().stream()
                .filter(turn -> turn.instrument() == instrument.number())
                .toList();
    }

    /** Returns when they are switched by time. */
    public List<Alarm> alarms() {
        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < from.size(); i++) {
            for (SwitchTime time : both(i)) {
                if (time != null && time.point() == StartPoint.AFTER) {
                    alarms.add(new Alarm(time.nanos(), i, time == until.get(i)));
                }
            }
        }
        return alarms;
    }

    private SwitchTime[] both(int instrument) {
        return new SwitchTime[] {from.get(instrument), until.get(instrument)};
    }

    /** Returns the number of the first hit that is taken, from 1. */
    public int firstHit(int instrument) {
        SwitchTime begin = from.get(instrument);
        return begin != null && begin.point() == null ? begin.hits() : 1;
    }

    /** Returns the number of the last hit that is taken; 0: there is no last one. */
    public int lastHit(int instrument) {
        SwitchTime end = until.get(instrument);
        return end != null && end.point() == null ? end.hits() : 0;
    }

    /** Returns the steps of a guard that count hits, if somebody wants to know. */
    public List<Word> guards(Instrument instrument) {
        int first = firstHit(instrument.number());
        int last = lastHit(instrument.number());
        return first == 1 && last == 0
                ? List.of()
                : List.of(GuardStep.HITS.of(instrument.number(), first, last));
    }
}
