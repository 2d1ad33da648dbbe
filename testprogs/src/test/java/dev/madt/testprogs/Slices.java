package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of one trace as slices on tracks, each within its caller's; {@code madt print} tells
 * what they have to be.
 */
public final class Slices {
    private static final Pattern BEGIN = Pattern.compile("B\\$\\d+:([^,]+),([^,]+?)(?:,t=(\\d+))?");
    private static final Pattern END = Pattern.compile("X\\$\\d+:([^,]+),(\\d+),(-?\\d+)");

    private record Open(String name, long start) {}

    /** Names with callers and starts. */
    private final List<String> begins = new ArrayList<>();

    /** Of each function with a time of its own, how long its calls took. */
    private final Map<String, List<Long>> ends = new TreeMap<>();

    private final Map<String, Deque<Open>> tracks = new HashMap<>();
    private int never;

    /** A slice begins, in nanoseconds. */
    public void begin(String track, String name, long start) {
        Deque<Open> open = tracks.computeIfAbsent(track, absent -> new ArrayDeque<>());
        assertTrue(open.isEmpty() || open.peek().start() <= start, name + " begins too early");
        begins.add(name + "," + (open.isEmpty() ? "?" : open.peek().name()) + "," + start);
        open.push(new Open(name, start));
    }

    /**
     * The slice ends that began last on its track.
     *
     * @param length without what its thread waited for MadT
     * @param left how, unless by a return
     */
    public void end(String track, long end, long length, long self, String left) {
        Open open = tracks.get(track).pop();
        assertTrue(end - open.start() >= length - 1, open + " ends at " + end);
        if (left == null) {
            ends.computeIfAbsent(open.name() + "," + self, absent -> new ArrayList<>())
                    .add(length);
        } else if (left.equals("never")) {
            never++;
        }
    }

    /** Functions that are never left. */
    public int never() {
        return never;
    }

    public int tracks() {
        return tracks.size();
    }

    /** Compares with the lines of {@code madt print}. */
    public void assertEqual(List<String> printed) {
        tracks.forEach((track, open) -> assertTrue(open.isEmpty(), track + " is open: " + open));
        List<String> wanted = new ArrayList<>();
        Map<String, List<Long>> lengths = new TreeMap<>();
        for (String line : printed) {
            Matcher begin = BEGIN.matcher(line);
            Matcher end = END.matcher(line);
            if (begin.matches()) {
                String caller = begin.group(2).replaceAll("~$", ""); // it has jumped
                wanted.add(begin.group(1) + "," + caller + "," + begin.group(3));
            } else if (end.matches()) {
                lengths.computeIfAbsent(
                                end.group(1) + "," + Math.max(0, Long.parseLong(end.group(3))),
                                absent -> new ArrayList<>())
                        .add(Long.parseLong(end.group(2)));
            }
        }
        assertFalse(wanted.isEmpty());
        Collections.sort(wanted);
        Collections.sort(begins);
        assertEquals(wanted, begins);
        assertEquals(lengths.keySet(), ends.keySet());
        lengths.forEach((call, times) -> {
            List<Long> drawn = ends.get(call);
            Collections.sort(times);
            Collections.sort(drawn);
            assertEquals(times, drawn, call);
        });
    }
}
