package dev.madt.guard;

import dev.madt.console.Failure;
import dev.madt.session.StartPoint;
import dev.madt.session.Trigger;
import dev.madt.trace.instrument.InstrumentSyntaxException;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.PlaceReader;

/**
 * Says when an instrument begins, or ends.
 *
 * @param point what happens then; null: it has had so many hits
 * @param hits of it, if that is so
 * @param nanos since the first process began, for {@link StartPoint#AFTER}
 * @param place of a function's entry or return, or null
 */
public record SwitchTime(StartPoint point, int hits, long nanos, Place place) {
    private static final String HITS = "hits:";

    /** Reads one; null: nobody says so. */
    public static SwitchTime of(String text, String option, int status) throws Failure {
        if (text.isEmpty()) {
            return null;
        }
        if (text.startsWith(HITS)) {
            String number = text.substring(HITS.length());
            if (!number.matches("0*[1-9][0-9]{0,8}")) {
                throw new Failure(
                        status, option + " hits: takes a number from 1 on, not '" + number + "'.");
            }
            return new SwitchTime(null, Integer.parseInt(number), 0, null);
        }
        Trigger trigger = Trigger.of(text, option, true, status);
        return switch (trigger.point()) {
            case FUNC, RETURN -> at(trigger, option, status);
            case AFTER, CTL -> new SwitchTime(trigger.point(), 0, trigger.nanos(), null);
            default ->
                throw new Failure(
                        status,
                        option + " of an instrument is hits:N, func:GLOB, return:GLOB, after:TIME"
                                + " or ctl, not '" + text + "'.");
        };
    }

    private static SwitchTime at(Trigger trigger, String option, int status) throws Failure {
        if (trigger.nanos() > 0) {
            throw new Failure(
                    status,
                    option + " of an instrument does not wait for slow calls: '" + trigger.text()
                            + "'.");
        }
        try {
            Place place = new PlaceReader(trigger.glob()).read();
            boolean returns = trigger.point() == StartPoint.RETURN;
            return new SwitchTime(trigger.point(), 0, 0, returns ? place.returning() : place);
        } catch (InstrumentSyntaxException e) {
            throw new Failure(status, option + ": " + e.getMessage() + ".\n" + e.picture());
        }
    }
}
