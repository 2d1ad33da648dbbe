package dev.madt.guard;

import dev.madt.console.Numbers;
import dev.madt.console.Suggestion;
import dev.madt.session.ControlBox.Answer;
import dev.madt.trace.instrument.Instrument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Answers what {@code madt ctl} asks of the instruments of a recording while it runs. */
public final class InstrumentControl {
    /** Stands between the parts of what asks for one more instrument. */
    public static final String BETWEEN = "\0";
    /** Begins it: a place, actions, a condition, and when it is on follow. */
    public static final String ADD = "add" + BETWEEN;

    private static final String ALL = "all";

    private final SwitchBoard board;
    private final List<Instrument> instruments;
    private final Function<String, Pattern> globs;

    /** @param globs reads what users type for several */
    public InstrumentControl(
            SwitchBoard board, List<Instrument> instruments, Function<String, Pattern> globs) {
        this.board = board;
        this.instruments = instruments;
        this.globs = globs;
    }

    /**
     * Lists them.
     *
     * @param serials of processes that are recorded
     */
    public Answer list(List<Integer> serials) throws IOException {
        List<boolean[]> on = new ArrayList<>();
        for (int serial : serials) {
            on.add(board.areOn(serial));
        }
        StringBuilder text = new StringBuilder();
        for (Instrument instrument : instruments) {
            text.append(String.format(
                    "%4d  %-4s  --at '%s' '%s'%s%n",
                    instrument.number() + 1,
                    state(instrument.number(), on),
                    instrument.typed(),
                    instrument.typedActions(),
                    instrument.condition().isEmpty()
                            ? ""
                            : " --if '" + instrument.condition() + "'"));
        }
        return instruments.isEmpty()
                ? new Answer(false, "this recording has no instruments.")
                : new Answer(true, text.toString());
    }

    private static String state(int number, List<boolean[]> on) {
        long there = on.stream().filter(one -> one[number]).count();
        return there == 0 ? "off" : there == on.size() ? "on" : there + "/" + on.size();
    }

    /**
     * Switches some.
     *
     * @param which a number, a place as typed, with {@code *} for any text, or all
     */
    public Answer turn(String which, boolean on) throws IOException {
        List<Integer> found = new ArrayList<>();
        Pattern name = globs.apply(which);
        for (Instrument instrument : instruments) {
            if (which.equals(ALL)
                    || which.equals(Integer.toString(instrument.number() + 1))
                    || name.matcher(instrument.typed()).matches()) {
                found.add(instrument.number());
            }
        }
        if (found.isEmpty()) {
            return new Answer(
                    false,
                    "no instrument of this recording is called '" + which + "'."
                            + Suggestion.sentence(
                                    which,
                                    instruments.stream().map(Instrument::typed).toList()));
        }
        board.turn(found, on);
        return new Answer(
                true,
                "switched " + Numbers.counted(found.size(), "instrument", "instruments")
                        + (on ? " on" : " off") + "\n");
    }
}
