package dev.madt.view;

import dev.madt.trace.event.RunRows;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the accesses of runs. Each place has a window, in which its accesses are alike: while all
 * are in their windows, only the run is counted. What has been counted so is told when a place
 * leaves its window, and wherever the counter wants to know.
 */
final class RunCounts {
    /** Runs that wait to be told; code that is made at run time brings ever new ones. */
    private static final int MOST = 1 << 16;

    private final AccessCounter counter;
    private final Places places;
    private final DataObjectIndex data;
    private final AddressStates states;
    private final ViewFeed feed;
    private final boolean touching;
    private final boolean byDataObject;
    private final boolean byUnit;
    /** Runs of which there is more to tell. */
    private final List<RunPlaces> untold = new ArrayList<>();

    private RunPlaces[] known = {};
    private long until = Long.MAX_VALUE;
    private int lastThread;
    private long lastNumber;
    private int threadBehind;
    private int ring;

    /** @param touching whether somebody is told which bytes of blocks are accessed */
    RunCounts(
            AccessCounter counter,
            Places places,
            DataObjectIndex data,
            boolean touching,
            ViewFeed feed) {
        this.counter = counter;
        this.places = places;
        this.data = data;
        this.states = data.states();
        this.touching = touching;
        this.byDataObject = counter.byDataObject();
        this.byUnit = counter.byUnit();
        this.feed = feed;
    }

    /**
     * Counts runs; the feed is given what is none of the program. Returns the number behind the
     * last row.
     */
    long rows(RunRows rows) {
        if (known.length < rows.runCount()) {
            known = new RunPlaces[RunRows.FULL];
        }
        RunPlaces[] runs = known;
        int[] all = rows.rows();
        long[] words = rows.words();
        long number = rows.first();
        int thread = rows.thread();
        int at = 0;
        ring = 0;
        for (int i = 0, count = rows.count(); i < count; i++) {
            int place = all[i] >>> RunRows.FORM_BITS;
            int form = all[i] & RunRows.FORM;
            if (form == RunRows.OTHER) {
                number = other(number, thread, rows, place, at);
                thread = threadBehind;
                at += rows.otherWords(place);
                continue;
            }
            RunPlaces run = runs[place];
            if (run == null) {
                run = places.of(rows.run(place));
                runs[place] = run;
            }
            if (form == RunRows.AGAIN) {
                number = again(number, thread, run, words, run.from);
            } else {
                run.from = at;
                number = form == RunRows.WORDS
                        ? run(number, thread, run, words, at)
                        : again(number, thread, run, words, at);
                at += run.places.length;
            }
        }
        Arrays.fill(runs, 0, rows.runCount(), null);
        return number;
    }

    /** Gives the feed what is no run of accesses of the program; returns the number behind it. */
    private long other(long number, int thread, RunRows rows, int place, int at) {
        threadBehind = thread;
        int run = rows.run(place).number();
        if (run == SharedLayout.RUN_THREAD) {
            threadBehind = (int) rows.words()[at];
            return number;
        }
        if (run == SharedLayout.RUN_EVENT) {
            feed.endsAt(number);
            feed.ring(rows.ring(ring++));
            return number;
        }
        rows.giveOther(feed, place, number, thread, at);
        feed.flush();
        return number + 1;
    }

    /** Counts a run whose accesses are those of the last time; returns the number behind it. */
    long again(long number, int thread, RunPlaces run, long[] words, int from) {
        long behind = number + run.accesses;
        if (run.whole && behind <= until && thread == lastThread && holds(run)) {
            count(run);
            lastNumber = number;
            return behind;
        }
        return run(number, thread, run, words, from);
    }

    /** Whether nothing has changed in the windows. */
    private boolean holds(RunPlaces run) {
        if (run.state == states.all()) {
            return true;
        }
        if (byDataObject) {
            for (long cell : run.cells) {
                if (!states.holds(cell)) {
                    return false;
                }
            }
        }
        run.state = states.all();
        return true;
    }

    private void count(RunPlaces run) {
        if (run.times++ == run.toldTimes) {
            untold.add(run);
        }
    }

    /** Counts a run; returns the number behind it. */
    long run(long number, int thread, RunPlaces run, long[] words, int from) {
        if (thread != lastThread || untold.size() >= MOST) {
            turnTo(thread);
        }
        if (run.state != states.all()) {
            look(run);
        }
        if (number + run.accesses > until) {
            return atOnce(number, thread, run, words, from);
        }
        lastNumber = number;
        count(run);
        long[] windows = run.windows;
        boolean whole = true;
        long behind = number + run.accesses;
        for (int i = 0, window = 0; window < windows.length; i++, window += 2) {
            long address = words[from + i];
            if (Long.compareUnsigned(address - windows[window], windows[window + 1]) >= 0) {
                if (address == SharedLayout.WORD_NONE) {
                    run.told[i]++;
                    behind -= run.places[i].kind().accesses();
                    whole = false;
                } else {
                    whole &= move(number, thread, run, i, words, from);
                }
            }
        }
        run.whole = whole;
        return behind;
    }

    private void turnTo(int thread) {
        if (counter.byThread() || untold.size() >= MOST) {
            tell();
        }
        lastThread = thread;
    }

    /** Closes windows where something has changed. */
    private void look(RunPlaces run) {
        run.state = states.all();
        if (byDataObject) {
            for (int i = 0; i < run.cells.length; i++) {
                if (!states.holds(run.cells[i])) {
                    run.windows[2 * i + 1] = 0;
                    run.whole = false;
                }
            }
        }
    }

    /**
     * A place of a run, which has just been counted, has left its window; whether it has another
     * one.
     */
    private boolean move(
            long number, int thread, RunPlaces run, int index, long[] words, int from) {
        Place place = run.places[index];
        long address = words[from + index];
        if (!byUnit && byDataObject && holds(place, address)) {
            counter.touch(place, address);
            return open(run, index, place, address);
        }
        long more = run.times - 1 - run.told[index];
        if (more > 0) {
            counter.again(number, thread, place, more);
        }
        run.told[index] = run.times;
        boolean found =
                access(numberOf(number, run, index, words, from), thread, run, index, address);
        until = counter.until();
        return found;
    }

    private boolean holds(Place place, long address) {
        return place.holds(address, states) && (!touching || data.touched(place, address));
    }

    /** Counts an access at once; whether the place has a window then. */
    private boolean access(long number, int thread, RunPlaces run, int index, long address) {
        Place place = run.places[index];
        if (!byDataObject) {
            counter.access(number, thread, place, null, address);
            run.windows[2 * index] = 0;
            run.windows[2 * index + 1] = -1;
            return true;
        }
        DataObject object = data.at(place, address);
        if (object.dead()) {
            run.windows[2 * index + 1] = 0;
            feed.dead(number, thread, place, address);
            return false;
        }
        counter.access(number, thread, place, object, address);
        return open(run, index, place, address);
    }

    /** The number of an access of a run whose first one has a number. */
    private static long numberOf(long first, RunPlaces run, int index, long[] words, int from) {
        long number = first;
        for (int i = 0; i < index; i++) {
            number += words[from + i] == SharedLayout.WORD_NONE
                    ? 0
                    : run.places[i].kind().accesses();
        }
        return number;
    }

    /** Opens the window of a place around an address; whether that can be done. */
    private boolean open(RunPlaces run, int index, Place place, long address) {
        if (!place.holds(address, states)) {
            run.windows[2 * index + 1] = 0;
            return false;
        }
        int bits = touching && place.lastObject.isSite()
                ? 0
                : counter.unitBits(place, place.lastObject);
        place.window(address, bits, run.windows, 2 * index);
        run.cells[index] = place.cell();
        return true;
    }

    /** Tells the counter what was done again. */
    void tell() {
        for (RunPlaces run : untold) {
            for (int i = 0; i < run.places.length; i++) {
                long more = run.times - run.told[i];
                if (more > 0) {
                    counter.again(lastNumber, lastThread, run.places[i], more);
                    run.told[i] = run.times;
                }
            }
            run.toldTimes = run.times;
        }
        untold.clear();
    }

    /** Counts accesses one by one, as they are in more than one range of the counter's time. */
    private long atOnce(long number, int thread, RunPlaces run, long[] words, int from) {
        tell();
        boolean whole = true;
        long at = number;
        for (int i = 0; i < run.places.length; i++) {
            if (words[from + i] == SharedLayout.WORD_NONE) {
                whole = false;
                continue;
            }
            whole &= access(at, thread, run, i, words[from + i]);
            at += run.places[i].kind().accesses();
        }
        run.whole = whole;
        until = counter.until();
        return at;
    }
}
