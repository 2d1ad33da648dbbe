package dev.madt.view.defects;

import dev.madt.trace.event.TraceEvent;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.List;

/** An access that has failed, by which the process has ended. */
public final class Crash {
    static final int STORE = 1;
    private static final int FETCH = 2;
    private static final int REFUSED = 3;
    private static final String NOTHING = "[?]";

    private final TraceEvent.Crash event;
    private final Place code;
    private final CallChain calls;
    private final DataObject there;
    private final BlockState state;

    /**
     * Holds what is known of it.
     *
     * @param calls that were open; null if nobody knows
     * @param there what lay at the address, or had
     * @param state what is known of that; null if nothing
     */
    Crash(TraceEvent.Crash event, Place code, CallChain calls, DataObject there, BlockState state) {
        this.event = event;
        this.code = code;
        this.calls = calls;
        this.there = there;
        this.state = state;
    }

    /**
     * Tells it in one sentence: {@code a load of <unmap:0002@grow+14>+8 by use+7 shop.c:14;
     * unmapped by drop+4 shop.c:10, called by main+77 shop.c:20}.
     */
    public String text() {
        StringBuilder text = new StringBuilder();
        if (event.how() == REFUSED) {
            return "an access that the processor refuses, since it cannot be or is not aligned, by "
                    + at(code) + by(calls);
        }
        text.append(
                switch ((int) event.how()) {
                    case STORE -> "a store to ";
                    case FETCH -> "a jump to ";
                    default -> "a load of ";
                });
        boolean nothing = there.name().equals(NOTHING);
        text.append(
                nothing
                        ? "0x" + Long.toHexString(event.address()) + ", where nothing lies"
                        : there.shownName() + "+" + (event.address() - there.start()));
        if (event.how() != FETCH) { // there is no code
            text.append(nothing ? ", by " : " by ").append(at(code)).append(by(calls));
        }
        if (there.endCall() != null) {
            text.append("; ")
                    .append(there.block().kind().mapping() ? "unmapped" : "ended")
                    .append(" by ")
                    .append(at(there.endCall()))
                    .append(by(state == null ? null : state.end));
        }
        return text.toString();
    }

    private static String at(Place place) {
        String line = place.ownLine();
        return place.ownName() + (line.isEmpty() ? "" : " " + line);
    }

    private static String by(CallChain chain) {
        List<String> told = chain == null ? List.of() : OpenCalls.told(chain);
        return told.isEmpty()
                ? ""
                : ", called by "
                        + String.join(", ", told.stream().map(Crash::turned).toList());
    }

    /** Puts the line of a call behind it, as sentences have it. */
    private static String turned(String call) {
        int gap = call.indexOf("  ");
        return gap < 0 ? call : call.substring(gap + 2) + " " + call.substring(0, gap);
    }
}
