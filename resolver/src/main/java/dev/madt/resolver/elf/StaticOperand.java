package dev.madt.resolver.elf;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says where a value of a {@link StaticProbe} is, in the assembler's spelling: {@code 8@%rdi},
 * {@code -4@-20(%rbp)}, {@code 4@$7}; in a trigger's note {@code 8:3@%rdi}, with its form.
 *
 * @param kind of where
 * @param bytes of it
 * @param form of its bits
 * @param register a general register, as instructions number them; -1: none
 * @param number bits that lie below it in the register, bytes behind the register's address, or the
 *     constant
 */
public record StaticOperand(Kind kind, int bytes, Form form, int register, long number) {
    /** Kinds of places. */
    public enum Kind {
        /** A general register. */
        REGISTER,
        /** Memory at so many bytes from a general register. */
        MEMORY,
        CONSTANT,
        /** Another one: a vector register, two registers, a symbol. */
        OTHER
    }

    /** Says how its bits are meant: {@code enum madt_value_form} of {@code <madt.h>}. */
    public enum Form {
        UNSIGNED,
        SIGNED,
        FLOAT,
        /** The address of a text that a NUL ends. */
        TEXT,
        POINTER
    }

    /** Sizes are bytes, below zero with a sign, with an f behind them those of a float. */
    private static final Pattern OPERAND = Pattern.compile("(-?)([0-9])(?:(f)|:([0-4]))?@(\\S+)");

    private static final Pattern MEMORY = Pattern.compile("(-?[0-9]+)?\\(%([a-z0-9]+)\\)");
    private static final List<String> FIRST =
            List.of("ax", "cx", "dx", "bx", "sp", "bp", "si", "di");
    private static final int BYTE_BITS = 8;
    private static final Map<String, int[]> REGISTERS = registers();

    /** Names of registers and of their parts, to number and first bit. */
    private static Map<String, int[]> registers() {
        Map<String, int[]> names = new TreeMap<>();
        for (int i = 0; i < FIRST.size(); i++) {
            String name = FIRST.get(i);
            for (String prefix : List.of("r", "e", "")) {
                names.put(prefix + name, new int[] {i, 0});
            }
            String half = name.endsWith("x") ? name.substring(0, 1) : name;
            names.put(half + "l", new int[] {i, 0});
            if (name.endsWith("x")) {
                names.put(half + "h", new int[] {i, BYTE_BITS});
            }
        }
        for (int i = FIRST.size(); i < 2 * FIRST.size(); i++) {
            for (String suffix : List.of("", "d", "w", "b")) {
                names.put("r" + i + suffix, new int[] {i, 0});
            }
        }
        return names;
    }

    /** Reads one; what cannot be read is {@link Kind#OTHER}. */
    static StaticOperand of(String text) {
        Matcher operand = OPERAND.matcher(text);
        if (!operand.matches()) {
            return new StaticOperand(Kind.OTHER, 0, Form.UNSIGNED, -1, 0);
        }
        int bytes = operand.group(2).charAt(0) - '0';
        Form form = form(operand);
        String place = operand.group(5);
        Matcher memory = MEMORY.matcher(place);
        int[] register = REGISTERS.get(place.startsWith("%") ? place.substring(1) : "");
        if (register != null) {
            return new StaticOperand(Kind.REGISTER, bytes, form, register[0], register[1]);
        }
        if (place.matches("\\$-?[0-9]{1,19}")) {
            return new StaticOperand(
                    Kind.CONSTANT, bytes, form, -1, new BigInteger(place.substring(1)).longValue());
        }
        if (memory.matches() && REGISTERS.containsKey(memory.group(2))) {
            long distance = memory.group(1) == null ? 0 : Long.parseLong(memory.group(1));
            int base = REGISTERS.get(memory.group(2))[0];
            return new StaticOperand(Kind.MEMORY, bytes, form, base, distance);
        }
        return new StaticOperand(Kind.OTHER, bytes, form, -1, 0);
    }

    private static Form form(Matcher operand) {
        return operand.group(4) != null
                ? Form.values()[operand.group(4).charAt(0) - '0']
                : operand.group(3) != null
                        ? Form.FLOAT
                        : operand.group(1).isEmpty() ? Form.UNSIGNED : Form.SIGNED;
    }

    /** Returns the value, of the 64 bits of its register, or of the memory from its address on. */
    public long value(long bits) {
        long from = kind == Kind.CONSTANT ? number : kind == Kind.REGISTER ? bits >>> number : bits;
        int above = Long.SIZE - BYTE_BITS * bytes;
        return bytes == 0 || above <= 0
                ? from
                : form == Form.SIGNED ? from << above >> above : from << above >>> above;
    }
}
