package dev.madt.guard;

import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Expression;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.LeafForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A condition as steps that the target carries out at each hit (madt_payload.h). It does whatever
 * is made of integers in registers and memory; texts, floating-point numbers and the thread's
 * number are for the launcher. Where only one side of {@code &&} can be done there, that one is,
 * and the launcher looks at what remains.
 */
public final class Guard {
    /** {@code MADT_GUARD_DEPTH}. */
    private static final int DEPTH = 8;
    /** Steps of a condition: of {@code MADT_GUARD_STEPS}, some are for switches and counts. */
    private static final int STEPS = 240;

    /**
     * Stands for a leaf at a place.
     *
     * @param words of a record
     * @param form how they are read
     */
    public record Taken(List<Word> words, LeafForm form) {
        /** The leaf is nowhere there. */
        public static final Taken NOTHING = new Taken(List.of(), LeafForm.NOWHERE);
    }

    private final Map<String, Taken> leaves;

    /** @param leaves what is known of them at a place, by their texts */
    private Guard(Map<String, Taken> leaves) {
        this.leaves = leaves;
    }

    /** Returns the steps of a whole condition; null: the target cannot tell it. */
    public static List<Word> whole(Expression condition, Map<String, Taken> leaves) {
        List<Word> steps = new ArrayList<>();
        boolean can = new Guard(leaves).add(condition, steps, 0, 0);
        steps.add(GuardStep.END.of(1));
        return can && steps.size() <= STEPS ? steps : null;
    }

    /** Returns the steps of what must hold for a condition to hold, as far as the target can. */
    public static List<Word> necessary(Expression condition, Map<String, Taken> leaves) {
        List<Word> steps = whole(condition, leaves);
        if (steps != null) {
            return steps;
        }
        if (!(condition instanceof Expression.Binary both) || !both.operator().equals("&&")) {
            return List.of();
        }
        List<Word> all = new ArrayList<>(necessary(both.left(), leaves));
        all.addAll(necessary(both.right(), leaves));
        return all.size() <= STEPS ? all : List.of();
    }

    /** Adds the steps of an expression, below which so many values and ends wait. */
    private boolean add(Expression expression, List<Word> steps, int depth, int open) {
        if (depth >= DEPTH || open > DEPTH) {
            return false;
        }
        if (expression instanceof Expression.Constant constant) {
            steps.add(GuardStep.number(constant.value()));
            return true;
        }
        if (expression instanceof Expression.Taken taken) {
            return add(taken.leaf(), steps);
        }
        if (expression instanceof Expression.Unary unary) {
            boolean can = add(unary.operand(), steps, depth, open);
            steps.add(GuardStep.of(unary.operator()).of());
            return can;
        }
        return expression instanceof Expression.Binary binary && add(binary, steps, depth, open);
    }

    private boolean add(Expression.Binary binary, List<Word> steps, int depth, int open) {
        GuardStep step = GuardStep.of(binary.operator());
        boolean forks = step == GuardStep.BOTH || step == GuardStep.EITHER;
        if (!add(binary.left(), steps, depth, open)) {
            return false;
        }
        if (!forks) {
            boolean can = add(binary.right(), steps, depth + 1, open);
            steps.add(step.of(binary.takesUnsigned(this::isUnsigned)));
            return can;
        }
        steps.add(step.of());
        boolean can = add(binary.right(), steps, depth, open + 1);
        steps.add(GuardStep.END.of(0));
        return can;
    }

    private boolean isUnsigned(Leaf leaf) {
        Taken taken = leaves.get(leaf.text());
        return taken != null && taken.form().isUnsigned();
    }

    private boolean add(Leaf leaf, List<Word> steps) {
        Taken taken = leaf.isText() ? null : leaves.get(leaf.text());
        if (taken == null) {
            return false;
        }
        LeafForm form = taken.form();
        Word first = taken.words().isEmpty() ? null : taken.words().get(0);
        switch (form.kind()) {
            case NOWHERE -> steps.add(GuardStep.NOWHERE.of());
            case CONSTANT -> steps.add(GuardStep.number(form.distance()));
            case REGISTER -> {
                return addRegister(first, form, steps);
            }
            case MEMORY -> steps.add(GuardStep.MEMORY.taking(first, form.size(), form.signed()));
            case POINTER -> {
                steps.add(GuardStep.POINTER.taking(first, Long.BYTES, false));
                if (form.distance() != 0) {
                    steps.add(GuardStep.number(form.distance()));
                    steps.add(GuardStep.ADD.of());
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean addRegister(Word first, LeafForm form, List<Word> steps) {
        if (first.kind() == AccessKind.ADDRESS) {
            if (form.size() < Long.BYTES || form.distance() != 0) {
                return false;
            }
            steps.add(GuardStep.ADDRESS.taking(first, Long.BYTES, false));
            return true;
        }
        steps.add(GuardStep.REGISTER.taking(first, form.size(), form.signed()));
        return first.kind() == AccessKind.VALUE
                && first.place() < Leaf.REGISTERS.size()
                && form.distance() == 0;
    }
}
