package dev.madt.view;

import dev.madt.trace.event.BuiltInTemplates;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the accesses of records. Each place has a window, in which its accesses are alike: while
 * all are in their windows, only the record is counted. What has been counted so is told when a
 * place leaves its window, and wherever the counter wants to know.
 */
final class RecordCounts {
    /** Records that wait to be told; code that is made at run time brings ever new ones. */
    private static final int MOST = 1 << 16;

    /** Times that a template's places leave their windows of which all are looked up. */
    private static final int EXACT_MOVES = 256;

    /** One in 8.5 at random, in a hurry: bits of the random number of those that are passed by. */
    private static final int PASSED_BITS = 4;

    private final AccessCounter counter;
    private final Places places;
    private final DataObjectIndex data;
    private final AddressStates states;
    private final StackData stack;
    private final ViewFeed feed;
    private final boolean touching;
    private final boolean byDataObject;
    private final boolean byUnit;
    /** Records of which there is more to tell. */
    private final List<TemplatePlaces> untold = new ArrayList<>();

    private TemplatePlaces[] known = {};
    private long until = Long.MAX_VALUE;
    private int lastThread;
    private long lastNumber;
    private int threadBehind;
    private int ring;
    private boolean hurries;
    private int passed;
    private long random = 0x9e37_79b9_7f4a_7c15L;

    /** @param touching whether somebody is told which bytes of blocks are accessed */
    RecordCounts(
            AccessCounter counter,
            Places places,
            DataObjectIndex data,
            boolean touching,
            ViewFeed feed) {
        this.counter = counter;
        this.places = places;
        this.data = data;
        this.states = data.states();
        this.stack = data.stack();
        this.touching = touching;
        this.byDataObject = counter.byDataObject();
        this.byUnit = counter.byUnit();
        this.feed = feed;
    }

    /**
     * Counts records; the feed is given what is none of the program. Returns the number behind the
     * last row.
     */
    long rows(RecordRows rows) {
        if (known.length < rows.templateCount()) {
            known = new TemplatePlaces[RecordRows.FULL];
        }
        hurries = counter.hurries();
        TemplatePlaces[] templates = known;
        int[] all = rows.rows();
        long[] words = rows.words();
        long number = rows.first();
        int thread = rows.thread();
        int at = 0;
        ring = 0;
        for (int i = 0, count = rows.count(); i < count; i++) {
            int place = all[i] >>> RecordRows.FORM_BITS;
            int form = all[i] & RecordRows.FORM;
            if (form == RecordRows.OTHER) {
                number = other(number, thread, rows, place, at);
                thread = threadBehind;
                at += rows.otherWords(place);
                continue;
            }
            TemplatePlaces template = known(rows, place);
            if (form == RecordRows.AGAIN) {
                number = again(number, thread, template, words, template.from);
            } else {
                template.from = at;
                number = form == RecordRows.WORDS
                        ? record(number, thread, template, words, at)
                        : again(number, thread, template, words, at);
                at += template.places.length;
            }
        }
        Arrays.fill(templates, 0, rows.templateCount(), null);
        return number;
    }

    private TemplatePlaces known(RecordRows rows, int place) {
        TemplatePlaces template = known[place];
        if (template == null) {
            template = places.of(rows.template(place));
            known[place] = template;
        }
        return template;
    }

    /**
     * Counts records that nobody has looked at, as if they were as the last one; returns the number
     * behind them.
     */
    private long times(
            long number, int thread, TemplatePlaces template, long times, long[] words, int from) {
        template.sampled = true;
        long more = times;
        if (template.times == 0 && more > 0) { // its names have been made anew
            record(number, thread, template, words, from);
            more--;
        } else if (thread != lastThread) {
            turnTo(thread);
        }
        count(template, more);
        return number + times * template.accesses;
    }

    /**
     * Gives the feed what is no record of accesses of the program; returns the number behind it.
     */
    private long other(long number, int thread, RecordRows rows, int place, int at) {
        threadBehind = thread;
        long[] words = rows.words();
        int template = rows.template(place).number();
        if (rows.isTimes(place)) {
            return times(number, thread, known(rows, place), words[at], words, at + 1);
        }
        if (template == SharedLayout.TEMPLATE_THREAD) {
            threadBehind = (int) words[at];
            return number;
        }
        if (template == BuiltInTemplates.PASSED) {
            feed.passed(number, thread, words[at]);
            return number + words[at];
        }
        if (template == SharedLayout.TEMPLATE_EVENT) {
            feed.endsAt(number);
            feed.ring(rows.ring(ring++));
            return number;
        }
        rows.giveOther(feed, place, number, thread, at);
        feed.flush();
        return number + 1;
    }

    /** Counts a record whose accesses are those of the last time; returns the number behind it. */
    long again(long number, int thread, TemplatePlaces template, long[] words, int from) {
        long behind = number + template.accesses;
        follow(thread, template, words, from);
        if (template.whole && behind <= until && thread == lastThread && holds(template)) {
            count(template);
            lastNumber = number;
            return behind;
        }
        return followed(number, thread, template, words, from);
    }

    private void follow(int thread, TemplatePlaces template, long[] words, int from) {
        if (byDataObject && !stack.isEmpty()) {
            stack.record(thread, template.template, words, from);
        }
    }

    /** Returns whether nothing has changed in the windows. */
    private boolean holds(TemplatePlaces template) {
        if (template.state == states.all()) {
            return true;
        }
        if (byDataObject) {
            for (long cell : template.cells) {
                if (!states.holds(cell)) {
                    return false;
                }
            }
        }
        template.state = states.all();
        return true;
    }

    private void count(TemplatePlaces template) {
        count(template, 1);
    }

    private void count(TemplatePlaces template, long times) {
        if (template.times == template.toldTimes) {
            untold.add(template);
        }
        template.times += times;
    }

    /** Counts a record; returns the number behind it. */
    long record(long number, int thread, TemplatePlaces template, long[] words, int from) {
        follow(thread, template, words, from);
        return followed(number, thread, template, words, from);
    }

    private long followed(
            long number, int thread, TemplatePlaces template, long[] words, int from) {
        if (thread != lastThread || untold.size() >= MOST) {
            turnTo(thread);
        }
        if (template.state != states.all()) {
            look(template);
        }
        if (number + template.accesses > until) {
            return atOnce(number, thread, template, words, from);
        }
        lastNumber = number;
        count(template);
        long[] windows = template.windows;
        boolean whole = true;
        long behind = number + template.accesses;
        for (int i = 0, window = 0; window < windows.length; i++, window += 2) {
            long address = words[from + i];
            // as Long.compareUnsigned, which compilers of before Java 20 make branches of
            if (address - windows[window] + Long.MIN_VALUE
                    >= windows[window + 1] + Long.MIN_VALUE) {
                if (address == SharedLayout.WORD_NONE) {
                    template.told[i]++;
                    behind -= template.places[i].kind().accesses();
                    whole = false;
                } else if (hurries && passesBy(template, i)) {
                    whole = false;
                } else {
                    whole &= move(number, thread, template, i, words, from);
                }
            }
        }
        template.whole = whole;
        return behind;
    }

    /**
     * Returns whether a place that has left its window is passed by: what it accesses until it is
     * looked up counts as its last object's. As the times between are random, each object is found
     * as often as is its share.
     */
    private boolean passesBy(TemplatePlaces template, int index) {
        if (template.sampled
                || template.moves < EXACT_MOVES
                || template.places[index].lastObject == null) {
            template.moves++;
            return false;
        }
        if (passed > 0) {
            passed--;
            return true;
        }
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        passed = (int) (random >>> Long.SIZE - PASSED_BITS);
        return false;
    }

    private void turnTo(int thread) {
        if (counter.byThread() || untold.size() >= MOST) {
            tell();
        }
        lastThread = thread;
    }

    /** Closes windows where something has changed. */
    private void look(TemplatePlaces template) {
        template.state = states.all();
        if (byDataObject) {
            for (int i = 0; i < template.cells.length; i++) {
                if (!states.holds(template.cells[i])) {
                    template.windows[2 * i + 1] = 0;
                    template.whole = false;
                }
            }
        }
    }

    /**
     * A place of a record, which has just been counted, has left its window; whether it has another
     * one.
     */
    private boolean move(
            long number, int thread, TemplatePlaces template, int index, long[] words, int from) {
        Place place = template.places[index];
        long address = words[from + index];
        if (!byUnit && byDataObject && holds(place, address)) {
            counter.touch(place, address);
            return open(template, index, place, address);
        }
        long more = template.times - 1 - template.told[index];
        if (more > 0) {
            counter.again(number, thread, place, more);
        }
        template.told[index] = template.times;
        boolean found = access(
                numberOf(number, template, index, words, from), thread, template, index, address);
        until = counter.until();
        return found;
    }

    private boolean holds(Place place, long address) {
        return place.holds(address, states) && (!touching || data.touched(place, address));
    }

    /** Counts an access at once; whether the place has a window then. */
    private boolean access(
            long number, int thread, TemplatePlaces template, int index, long address) {
        Place place = template.places[index];
        if (!byDataObject || !touching && !counter.wants(place)) {
            counter.access(number, thread, place, null, address);
            template.windows[2 * index] = 0;
            template.windows[2 * index + 1] = -1;
            template.cells[index] = AddressStates.ALWAYS;
            return true;
        }
        DataObject object = data.at(place, address);
        if (object.dead()) {
            template.windows[2 * index + 1] = 0;
            feed.dead(number, thread, place, address);
            return false;
        }
        counter.access(number, thread, place, object, address);
        return open(template, index, place, address);
    }

    /** The number of an access of a record whose first one has a number. */
    private static long numberOf(
            long first, TemplatePlaces template, int index, long[] words, int from) {
        long number = first;
        for (int i = 0; i < index; i++) {
            number += words[from + i] == SharedLayout.WORD_NONE
                    ? 0
                    : template.places[i].kind().accesses();
        }
        return number;
    }

    /** Opens the window of a place around an address; whether that can be done. */
    private boolean open(TemplatePlaces template, int index, Place place, long address) {
        if (!place.holds(address, states)) {
            template.windows[2 * index + 1] = 0;
            return false;
        }
        int bits = touching && place.lastObject.isSite()
                ? 0
                : counter.unitBits(place, place.lastObject);
        place.window(address, bits, template.windows, 2 * index);
        template.cells[index] = place.cell();
        return true;
    }

    /** Tells the counter what was done again. */
    void tell() {
        for (TemplatePlaces template : untold) {
            for (int i = 0; i < template.places.length; i++) {
                long more = template.times - template.told[i];
                if (more > 0) {
                    counter.again(lastNumber, lastThread, template.places[i], more);
                    template.told[i] = template.times;
                }
            }
            template.toldTimes = template.times;
        }
        untold.clear();
    }

    /** Counts accesses one by one, as they are in more than one range of the counter's time. */
    private long atOnce(long number, int thread, TemplatePlaces template, long[] words, int from) {
        tell();
        boolean whole = true;
        long at = number;
        for (int i = 0; i < template.places.length; i++) {
            if (words[from + i] == SharedLayout.WORD_NONE) {
                whole = false;
                continue;
            }
            whole &= access(at, thread, template, i, words[from + i]);
            at += template.places[i].kind().accesses();
        }
        template.whole = whole;
        until = counter.until();
        return at;
    }
}
