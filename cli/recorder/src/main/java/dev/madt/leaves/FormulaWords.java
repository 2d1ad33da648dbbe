package dev.madt.leaves;

import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.local.Computed;
import dev.madt.resolver.local.Given;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Argument;
import dev.madt.trace.instrument.Formula;
import dev.madt.trace.instrument.FormulaStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes of what is computed the words that a record needs for it, and the formula of these. */
final class FormulaWords {
    /** {@code MADT_PROBE_LOADS}. */
    private static final int LOADS = 3;
    /** Vector registers that have places among those of arguments. */
    private static final int LOW = 8;

    private static final int HALF = 4;
    private static final int MOST_WORDS = 24;
    private static final int MOST_STEPS = 512;

    private final VariablePlaces places;
    private final List<Word> words;
    private final List<String> steps = new ArrayList<>();

    private FormulaWords(VariablePlaces places, List<Word> words) {
        this.places = places;
        this.words = words;
    }

    /**
     * Says what is recorded.
     *
     * @param formula what comes of it
     */
    record Made(List<Word> words, Formula formula) {}

    /** Returns null where the target cannot record what is needed. */
    static Made of(Computed computed, VariablePlaces places) {
        FormulaWords made = new FormulaWords(places, new ArrayList<>());
        boolean can = made.add(computed)
                && made.words.size() <= MOST_WORDS
                && made.steps.size() <= MOST_STEPS;
        return can ? new Made(made.words, new Formula(made.words.size(), made.steps)) : null;
    }

    /** Returns the word of a register, with its number as a {@link Way} has it. */
    static Word register(int number) {
        int vector = number - Way.VECTOR;
        int place = vector < 0
                ? number
                : vector < LOW ? Argument.VECTOR + vector : Argument.PLACES + vector - LOW;
        return new Word(AccessKind.VALUE, place, 0, 0, List.of());
    }

    private boolean add(Computed computed) {
        if (steps.size() > MOST_STEPS) {
            return false;
        }
        Optional<Computed.Entry> entry = computed.entry();
        if (entry.isPresent()) {
            return given(computed, entry.get());
        }
        if (computed instanceof Computed.Number number) {
            return steps.add(Formula.number(number.value()));
        }
        if (computed instanceof Computed.Register register) {
            int number = VariablePlaces.register(register.dwarf());
            return number >= 0 && steps.add(Formula.word(word(register(number))));
        }
        if (computed instanceof Computed.Memory memory) {
            return load(places.at(memory.address()), memory.bytes());
        }
        if (computed instanceof Computed.Unary unary) {
            return add(unary.of()) && steps.add(Formula.apply(unary.step()));
        }
        if (computed instanceof Computed.Binary binary) {
            return add(binary.left())
                    && add(binary.right())
                    && steps.add(Formula.apply(binary.step()));
        }
        return address(places.at(computed));
    }

    /** The return address tells which caller's value it is. */
    private boolean given(Computed computed, Computed.Entry entry) {
        if (places.isEntry()) {
            Computed register = new Computed.Register(entry.dwarf());
            return add(computed.with(part -> part.equals(entry) ? register : part));
        }
        List<List<String>> ways = new ArrayList<>();
        List<Long> after = new ArrayList<>();
        int behind = 1;
        for (Given given : places.given(entry.dwarf())) {
            FormulaWords way = new FormulaWords(places, words);
            int before = words.size();
            if (way.add(computed.with(part -> part.equals(entry) ? given.value() : part))) {
                after.add(given.after() - places.address());
                ways.add(way.steps);
                behind += way.steps.size() + 2;
            } else {
                words.subList(before, words.size()).clear();
            }
        }
        Computed back = new Computed.Memory(new Computed.Frame().plus(-Long.BYTES), Long.BYTES);
        if (ways.isEmpty() || !add(back) || !add(new Computed.Fixed(places.address()))) {
            return false;
        }
        steps.add(Formula.apply(FormulaStep.SUBTRACT));
        for (int i = 0; i < ways.size(); i++) {
            List<String> way = ways.get(i);
            behind -= way.size() + 2;
            steps.add(Formula.only(after.get(i), way.size() + 1));
            steps.addAll(way);
            steps.add(Formula.leave(behind));
        }
        return steps.add(Formula.unknown());
    }

    private int word(Word word) {
        int known = words.indexOf(word);
        if (known < 0) {
            words.add(word);
        }
        return known < 0 ? words.size() - 1 : known;
    }

    private boolean address(Way place) {
        boolean far = place == Way.NOWHERE || place.base() == Way.THREAD || place.loads() > 0;
        long distance = far ? Long.MAX_VALUE : place.sum();
        return distance == (int) distance
                && steps.add(Formula.word(word(new Word(
                        AccessKind.ADDRESS, place.base(), 0, 0, List.of((int) distance)))));
    }

    private boolean load(Way place, int bytes) {
        if (place == Way.NOWHERE
                || place.distances().size() > LOADS
                || place.distances().stream().anyMatch(one -> one != (int) (one + HALF) - HALF)) {
            return false;
        }
        if (bytes < Long.BYTES) {
            return steps.add(Formula.memory(word(memory(place, 0, bytes))));
        }
        Word low = memory(place, 0, HALF);
        Word high = memory(place, HALF, HALF);
        int known = words.indexOf(low);
        if (known < 0 || known + 1 >= words.size() || !words.get(known + 1).equals(high)) {
            known = words.size();
            words.add(low);
            words.add(high);
        }
        return steps.add(Formula.halves(known));
    }

    private static Word memory(Way place, int more, int bytes) {
        List<Integer> distances = new ArrayList<>();
        for (int i = 0; i < place.distances().size(); i++) {
            distances.add((int) (place.distances().get(i) + (i == place.loads() ? more : 0)));
        }
        return new Word(AccessKind.MEMORY, place.base(), distances.size(), bytes, distances);
    }
}
