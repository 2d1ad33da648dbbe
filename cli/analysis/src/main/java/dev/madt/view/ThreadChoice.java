package dev.madt.view;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ThreadNames;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says which threads are wanted: all, the one with a number, or those that are called by a name. A
 * thread is called by its newest name, which views show, and by an older one where that is the
 * newest of no thread. Names are those of one trace at a time: of a trace that tells them in front
 * of its events, all accesses of a thread are wanted; of another one, those behind the event that
 * names it.
 */
public final class ThreadChoice {
    /** Wants every thread. */
    public static final ThreadChoice ALL = new ThreadChoice(-1, null);

    private static final Pattern NUMBER = Pattern.compile("(?:.* \\()?(\\d{1,10})\\)?");

    private final long number;
    private final NamePattern name;
    private final ThreadNames names = new ThreadNames();
    /** Says that the trace has told all names. */
    private boolean told;

    private int last;
    private boolean answer;
    /** Says that some thread is shown by the name now. */
    private boolean byNewest;

    private boolean known;

    private ThreadChoice(long number, NamePattern name) {
        this.number = number;
        this.name = name;
    }

    /** The thread with this number; negative: every thread. */
    public static ThreadChoice of(long number) {
        return number < 0 ? ALL : new ThreadChoice(number, null);
    }

    /**
     * The thread that views show so: by a number, {@code NAME (NUMBER)}, or a name with wildcards;
     * null: every thread.
     */
    public static ThreadChoice of(String text) {
        if (text == null) {
            return ALL;
        }
        Matcher numbered = NUMBER.matcher(text);
        boolean isNumber = numbered.matches() && text.contains("(") == text.endsWith(")");
        return isNumber
                ? of(Long.parseLong(numbered.group(1)))
                : new ThreadChoice(-1, new NamePattern(text));
    }

    /** Returns whether every thread is wanted. */
    public boolean isAll() {
        return number < 0 && name == null;
    }

    /** Returns the pattern of the name, or null. */
    public NamePattern name() {
        return name;
    }

    /** Returns whether a thread is wanted. */
    public boolean holds(int thread) {
        if (name == null) {
            return number < 0 || Integer.toUnsignedLong(thread) == number;
        }
        if (!known) {
            byNewest = names.anyNewest(name::matches);
        }
        if (!known || thread != last) {
            last = thread;
            answer = holdsAnew(thread);
            known = true;
        }
        return answer;
    }

    private boolean holdsAnew(int thread) {
        if (byNewest) {
            String newest = names.of(thread);
            return newest != null && name.matches(newest);
        }
        return names.any(thread, name::matches);
    }

    /** Takes what a trace says of itself; the first time another trace begins. */
    public void meta(Map<String, String> values) {
        if (name == null) {
            return;
        }
        if (values.containsKey("pid")) {
            names.clear();
            told = false;
        }
        told |= values.containsKey(ThreadNames.KEY);
        names.take(values.getOrDefault(ThreadNames.KEY, ""));
        known = false;
    }

    /** Takes what a trace says of its threads. */
    public void ring(TraceEvent event) {
        if (name != null && !told && event.type() == RingEventType.THREAD_NAME) {
            names.take(event);
            known = false;
        }
    }

    @Override
    public String toString() {
        return name == null ? Long.toString(number) : name.text();
    }
}
