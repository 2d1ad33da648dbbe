package dev.madt.resolver.line;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Follows the windows of a trace: what opens each and what closes it. Of a trace that was recorded
 * from main or from its load on, there is nothing to say.
 */
public final class RecordingWindows {
    private static final String UNTIL = " until ";
    private static final String FOR = " for ";
    /** Holds those that nothing need be added to. */
    private static final String[] WORDS = new String[SharedLayout.START_FORK + 1];

    static {
        WORDS[SharedLayout.START_MAIN] = "main";
        WORDS[SharedLayout.START_LOAD] = "load";
        WORDS[SharedLayout.START_MARKER] = "marker";
        WORDS[SharedLayout.START_CONTROL] = "ctl";
        WORDS[SharedLayout.START_FORK] = "fork";
    }

    /**
     * A window opens or closes.
     *
     * @param number of the window, from 1; in a trace of the newest events, of those that it holds
     * @param cause as the option has it, with the name of the function
     * @param time in ticks of the processor's counter
     */
    public record Turn(long number, boolean opens, String cause, long time) {
        /** The first letter of its line. */
        public char letter() {
            return opens ? 'O' : 'Q';
        }
    }

    private final AddressSpace space;
    private String opener = "";
    private String closer = "";
    private String lasts = "";
    private long number;
    private boolean open;
    private boolean closed;

    public RecordingWindows(AddressSpace space) {
        this.space = space;
    }

    /** Takes what the trace says of itself: when it was to be recorded. */
    public void meta(Map<String, String> values) {
        String start = values.get("start");
        if (start == null) {
            return;
        }
        int lasting = start.lastIndexOf(FOR);
        lasts = lasting < 0 ? "" : start.substring(lasting + 1);
        String rest = lasting < 0 ? start : start.substring(0, lasting);
        int until = rest.lastIndexOf(UNTIL);
        opener = until < 0 ? rest : rest.substring(0, until);
        closer = until < 0 ? "" : rest.substring(until + UNTIL.length());
    }

    /** Returns whether it was recorded from main, or from its load, to its end. */
    public boolean isWhole() {
        boolean begin = opener.isEmpty() || opener.equals("main") || opener.equals("load");
        return begin && closer.isEmpty() && lasts.isEmpty();
    }

    /** Returns whether its windows are those of markers in the program. */
    public boolean isMarked() {
        return opener.equals("marker") && closer.isEmpty() && lasts.isEmpty();
    }

    /** Returns whether the last window has closed: what is open was so then. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns what an event means for windows; null: nothing that is worth a word. */
    public Turn turn(TraceEvent told) {
        if (!(told instanceof TraceEvent.Recording event)) {
            return null;
        }
        boolean opens = event.type() == RingEventType.RECORD_START;
        closed = !opens;
        boolean closes = !opens && open;
        if (!opens && !closes) {
            return null;
        }
        open = opens;
        number += opens ? 1 : 0;
        return isWhole() ? null : new Turn(number, opens, cause(event, opens), event.time());
    }

    private String cause(TraceEvent.Recording event, boolean opens) {
        long kind = event.cause();
        if (kind == SharedLayout.START_FUNCTION) {
            byte[] name = space.codeName(event.caller());
            return "func:" + new String(name, StandardCharsets.UTF_8);
        }
        if (kind >= SharedLayout.START_RETURN && kind <= SharedLayout.START_READ) {
            return opens ? opener : closer;
        }
        if (kind == SharedLayout.START_FOR) {
            return lasts;
        }
        return kind >= 0 && kind < WORDS.length && WORDS[(int) kind] != null
                ? WORDS[(int) kind]
                : "unknown";
    }
}
