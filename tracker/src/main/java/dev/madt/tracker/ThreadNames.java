package dev.madt.tracker;

import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Says what the threads of a process are called, by their THREAD_NAME events, and by what the
 * recorder says at the end of the trace. Of a thread that has many names the newest are kept.
 */
public final class ThreadNames {
    /** The key under which META has {@link #text}. */
    public static final String KEY = "thread_names";

    private static final int MOST_OF_ONE = 16;
    private static final int MOST_LINES = 1 << 16;

    /** By thread: its names, the newest last. */
    private final Map<Integer, Set<String>> names = new LinkedHashMap<>();

    /** Takes what an event says, if it names a thread. */
    public void take(TraceEvent event) {
        if (event instanceof TraceEvent.ThreadName name) {
            add(event.thread(), EventWord.text(name.name1(), name.name2()));
        }
    }

    /** Takes the lines that {@link #text} has made. */
    public void take(String lines) {
        lines.lines().forEach(line -> {
            int comma = line.indexOf(',');
            if (comma > 0 && line.substring(0, comma).matches("\\d{1,10}")) {
                add((int) Long.parseLong(line.substring(0, comma)), line.substring(comma + 1));
            }
        });
    }

    private void add(int thread, String name) {
        Set<String> own = names.computeIfAbsent(thread, absent -> new LinkedHashSet<>());
        own.remove(name);
        own.add(name);
        if (own.size() > MOST_OF_ONE) {
            Iterator<String> oldest = own.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Forgets all of them. */
    public void clear() {
        names.clear();
    }

    /** Returns whether no thread has a name. */
    public boolean isEmpty() {
        return names.isEmpty();
    }

    /** Returns the newest name of a thread; null if it has none. */
    public String of(int thread) {
        String last = null;
        for (String name : names.getOrDefault(thread, Set.of())) {
            last = name;
        }
        return last == null || last.isEmpty() ? null : last;
    }

    /** Returns how a thread is shown: {@code worker-3 (4711)}, or {@code 4711} without a name. */
    public String label(int thread) {
        return label(thread, of(thread));
    }

    /** Returns the same of a thread with such a name; null: it has none. */
    public static String label(int thread, String name) {
        String number = Integer.toUnsignedString(thread);
        return name == null ? number : name + " (" + number + ")";
    }

    /** Returns the labels of the threads that have names, by their first ones. */
    public List<String> labels() {
        return names.keySet().stream().map(this::label).toList();
    }

    /** Returns whether the newest name of some thread is such a one. */
    public boolean anyNewest(Predicate<String> isOne) {
        return names.keySet().stream()
                .map(this::of)
                .anyMatch(name -> name != null && isOne.test(name));
    }

    /** Returns whether one of the names of a thread is such a one. */
    public boolean any(int thread, Predicate<String> isOne) {
        return names.getOrDefault(thread, Set.of()).stream().anyMatch(isOne);
    }

    /**
     * Returns them as lines, {@code 4711,worker-3}, the names of a thread from the oldest to the
     * newest.
     */
    public String text() {
        StringBuilder text = new StringBuilder();
        int lines = 0;
        for (Map.Entry<Integer, Set<String>> thread : names.entrySet()) {
            for (String name : thread.getValue()) {
                if (lines++ == MOST_LINES) {
                    return text.toString();
                }
                text.append(text.isEmpty() ? "" : "\n")
                        .append(Integer.toUnsignedString(thread.getKey()))
                        .append(',')
                        .append(name);
            }
        }
        return text.toString();
    }
}
