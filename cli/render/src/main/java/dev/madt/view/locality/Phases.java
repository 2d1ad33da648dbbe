package dev.madt.view.locality;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds which intervals of a run are alike, in their order: each belongs to the phase from whose
 * signature, the sum of its intervals so far, it differs least, if that is not too much, and else
 * begins another one (Sherwood, Sair, Calder, "Phase tracking and prediction", ISCA 2003). An
 * interval by itself between two longer spans is what lies between two phases: it goes to the
 * nearer one.
 */
final class Phases {
    /**
     * Intervals of one phase in a row.
     *
     * @param phase counts from 0, in the order of the run
     * @param last is part of it
     */
    record Span(int phase, int first, int last) {
        private int length() {
            return last - first + 1;
        }
    }

    private Phases() {}

    /** @param most by which the intervals of a phase differ from it: 0 to 1 */
    static List<Span> of(List<Signature> intervals, double most) {
        List<Signature> phases = new ArrayList<>();
        int[] found = new int[intervals.size()];
        for (int i = 0; i < found.length; i++) {
            Signature interval = intervals.get(i);
            int nearest = nearest(interval, phases);
            if (nearest < 0 || interval.difference(phases.get(nearest)) > most) {
                nearest = phases.size();
                phases.add(interval);
            } else {
                phases.set(nearest, phases.get(nearest).with(interval));
            }
            found[i] = nearest;
        }
        List<Span> spans = spans(found);
        for (int i = 1; i < spans.size() - 1; i++) {
            Span before = spans.get(i - 1);
            Span behind = spans.get(i + 1);
            int at = spans.get(i).first;
            if (spans.get(i).length() == 1 && before.length() > 1 && behind.length() > 1) {
                Signature interval = intervals.get(at);
                double toBefore = interval.difference(phases.get(before.phase));
                double toBehind = interval.difference(phases.get(behind.phase));
                found[at] = toBefore <= toBehind ? before.phase : behind.phase;
            }
        }
        return named(spans(found));
    }

    private static int nearest(Signature interval, List<Signature> phases) {
        int nearest = -1;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < phases.size(); i++) {
            double difference = interval.difference(phases.get(i));
            if (difference < least) {
                least = difference;
                nearest = i;
            }
        }
        return nearest;
    }

    private static List<Span> spans(int[] phases) {
        List<Span> spans = new ArrayList<>();
        for (int first = 0, i = 0; i < phases.length; i++) {
            if (i + 1 == phases.length || phases[i + 1] != phases[i]) {
                spans.add(new Span(phases[i], first, i));
                first = i + 1;
            }
        }
        return spans;
    }

    /** Numbers phases anew: one may be left without an interval. */
    private static List<Span> named(List<Span> spans) {
        List<Integer> numbers = new ArrayList<>();
        List<Span> named = new ArrayList<>();
        for (Span span : spans) {
            if (!numbers.contains(span.phase)) {
                numbers.add(span.phase);
            }
            named.add(new Span(numbers.indexOf(span.phase), span.first, span.last));
        }
        return named;
    }
}
