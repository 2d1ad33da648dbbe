package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says how a value is computed from the words of a record, where no word is the value itself: a
 * program for a stack of 64-bit words, step by step. A step is
 *
 * <ul>
 *   <li>{@code #5}: a number;
 *   <li>{@code w0}: a word, {@code m0}: one that is not known if all ones, {@code h0}: two of
 *       these, of which each has four bytes;
 *   <li>a {@link FormulaStep};
 *   <li>{@code ?1149:3}: if the top is this number, in hexadecimal, it is taken away; else three
 *       steps are left out;
 *   <li>{@code j3}: three steps are left out;
 *   <li>{@code n}: the value is not known.
 * </ul>
 *
 * @param words how many it has
 * @param steps as files have them
 */
public record Formula(int words, List<String> steps) {
    private static final String BETWEEN = ",";
    private static final long LOW = 0xffff_ffffL;

    public Formula {
        steps = List.copyOf(steps);
    }

    /** Returns a step that takes a number. */
    public static String number(long value) {
        return "#" + value;
    }

    /** Returns a step that takes a word. */
    public static String word(int at) {
        return "w" + at;
    }

    /** Returns a step that takes what memory of up to four bytes held. */
    public static String memory(int at) {
        return "m" + at;
    }

    /** Returns a step that takes what eight bytes of memory held. */
    public static String halves(int at) {
        return "h" + at;
    }

    /** Returns a step that goes on if the top is a number, and else leaves out some steps. */
    public static String only(long value, int leftOut) {
        return "?" + Long.toHexString(value) + ":" + leftOut;
    }

    /** Returns a step that leaves out some. */
    public static String leave(int steps) {
        return "j" + steps;
    }

    /** Returns a step at which the value is not known. */
    public static String unknown() {
        return "n";
    }

    /** Returns a step that applies an operator. */
    public static String apply(FormulaStep step) {
        return step.text();
    }

    /** Returns it as files have it. */
    String text() {
        return words + BETWEEN + String.join(BETWEEN, steps);
    }

    /** Returns the one of this text. */
    static Formula of(String text) {
        List<String> parts = List.of(text.split(BETWEEN));
        return new Formula(Integer.parseInt(parts.get(0)), parts.subList(1, parts.size()));
    }

    /** Returns its value, of words from one on; it is not known where a newer recorder wrote it. */
    Value evaluate(long[] words, int at) {
        List<Long> stack = new ArrayList<>();
        try {
            for (int i = 0; i < steps.size(); i++) {
                int leftOut = step(steps.get(i), words, at, stack);
                if (leftOut < 0) {
                    return Value.UNKNOWN;
                }
                i += leftOut;
            }
            return stack.size() == 1 ? Value.of(stack.get(0)) : Value.UNKNOWN;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            return Value.UNKNOWN;
        }
    }

    /** Returns how many steps are left out behind it; below zero: the value is not known. */
    private static int step(String step, long[] words, int at, List<Long> stack) {
        String operand = step.substring(1);
        switch (step.charAt(0)) {
            case '#' -> stack.add(Long.parseLong(operand));
            case '?' -> {
                String[] parts = operand.split(":");
                long wanted = Long.parseUnsignedLong(parts[0], 16);
                boolean same = stack.get(stack.size() - 1) == wanted;
                if (!same) {
                    return Integer.parseInt(parts[1]);
                }
                stack.remove(stack.size() - 1);
            }
            default -> {
                return isDigits(operand)
                        ? counted(step.charAt(0), Integer.parseInt(operand), words, at, stack)
                        : apply(step, stack);
            }
        }
        return 0;
    }

    private static boolean isDigits(String text) {
        return !text.isEmpty() && text.chars().allMatch(Character::isDigit);
    }

    private static int counted(char kind, int number, long[] words, int at, List<Long> stack) {
        switch (kind) {
            case 'w' -> stack.add(words[at + number]);
            case 'm' -> {
                stack.add(words[at + number]);
                return words[at + number] == -1 ? -1 : 0;
            }
            case 'h' -> {
                long low = words[at + number];
                long high = words[at + number + 1];
                stack.add(low & LOW | high << Integer.SIZE);
                return low == -1 || high == -1 ? -1 : 0;
            }
            case 'j' -> {
                return number;
            }
            default -> {
                return -1;
            }
        }
        return 0;
    }

    private static int apply(String name, List<Long> stack) {
        if (name.equals(unknown())) {
            return -1;
        }
        FormulaStep step = FormulaStep.valueOf(name.toUpperCase(Locale.ROOT));
        long b = stack.remove(stack.size() - 1);
        long a = step.operands() == 2 ? stack.remove(stack.size() - 1) : 0;
        Long result = step.apply(a, b);
        if (result == null) {
            return -1;
        }
        stack.add(result);
        return 0;
    }
}
