package dev.madt.resolver.local;

import dev.madt.trace.instrument.FormulaStep;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A value, or the address of one, that the debug information says how to compute at an instruction:
 * 64 bits, of which a value that is narrower has the lowest.
 */
public sealed interface Computed {
    /** A number. */
    record Number(long value) implements Computed {}

    /**
     * The lowest eight bytes of a register.
     *
     * @param dwarf its DWARF number
     */
    record Register(int dwarf) implements Computed {}

    /** The canonical frame address: the stack pointer before the call of the function. */
    record Frame() implements Computed {}

    /** The base of the function's frame, as the function says it. */
    record FrameBase() implements Computed {}

    /**
     * The value that a register had when the function was entered.
     *
     * @param dwarf its DWARF number
     */
    record Entry(int dwarf) implements Computed {}

    /** An address of the module: an ELF virtual address. */
    record Fixed(long address) implements Computed {}

    /** An address in the thread's copy of the module's storage, by the distance from its start. */
    record ThreadLocal(long offset) implements Computed {}

    /** Bytes of memory, with zeros above them. */
    record Memory(Computed address, int bytes) implements Computed {}

    /** An operator with one operand. */
    record Unary(FormulaStep step, Computed of) implements Computed {}

    /** An operator with two. */
    record Binary(FormulaStep step, Computed left, Computed right) implements Computed {}

    /** Returns the sum of this and a number. */
    default Computed plus(long number) {
        return number == 0
                ? this
                : this instanceof Number one
                        ? new Number(one.value() + number)
                        : this instanceof Binary sum
                                        && sum.step() == FormulaStep.ADD
                                        && sum.right() instanceof Number more
                                ? sum.left().plus(more.value() + number)
                                : new Binary(FormulaStep.ADD, this, new Number(number));
    }

    /**
     * Returns it with others in the place of what it is made of; null: one of them is not known.
     *
     * @param other of what is made of nothing else; null: it is not known
     */
    default Computed with(UnaryOperator<Computed> other) {
        if (this instanceof Memory memory) {
            Computed address = memory.address().with(other);
            return address == null ? null : new Memory(address, memory.bytes());
        }
        if (this instanceof Unary unary) {
            Computed of = unary.of().with(other);
            return of == null ? null : new Unary(unary.step(), of);
        }
        if (this instanceof Binary binary) {
            Computed left = binary.left().with(other);
            Computed right = binary.right().with(other);
            return left == null || right == null
                    ? null
                    : right instanceof Number number && binary.step() == FormulaStep.ADD
                            ? left.plus(number.value())
                            : new Binary(binary.step(), left, right);
        }
        return other.apply(this);
    }

    /** Returns the first of what it is made of that is the value of a register at the entry. */
    default Optional<Entry> entry() {
        if (this instanceof Memory memory) {
            return memory.address().entry();
        }
        if (this instanceof Unary unary) {
            return unary.of().entry();
        }
        if (this instanceof Binary binary) {
            return binary.left().entry().or(() -> binary.right().entry());
        }
        return this instanceof Entry entry ? Optional.of(entry) : Optional.empty();
    }

    /**
     * Returns it in a function whose frame has this base; null: that is not known.
     *
     * @param base null if it is not known
     */
    default Computed in(Computed base) {
        return with(part -> part instanceof FrameBase ? base : part);
    }

    /** Returns whether it takes the base of the frame, or its address. */
    default boolean isFramed() {
        return this instanceof FrameBase
                || this instanceof Frame
                || this instanceof Memory memory && memory.address().isFramed()
                || this instanceof Unary unary && unary.of().isFramed()
                || this instanceof Binary binary
                        && (binary.left().isFramed() || binary.right().isFramed());
    }
}
