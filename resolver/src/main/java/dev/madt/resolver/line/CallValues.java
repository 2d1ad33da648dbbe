package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Argument;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RegionKind;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/** Writes the arguments and results of calls, of whatever form they are. */
final class CallValues {
    private static final String[] REGISTERS = {
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15"
    };

    /** rdi, rsi, rdx, rcx, r8, r9: the order of arguments. */
    private static final int[] ORDER = {7, 6, 2, 1, 8, 9};

    private static final byte[] NIL = bytes("(nil)");

    private final LineBuffer line;
    private final AddressSpace space;
    private final DataIndex index;
    private final DataNames names;
    private final IntObjectHashMap<Definition.Arguments> known = new IntObjectHashMap<>();

    CallValues(LineBuffer line, AddressSpace space, DataIndex index, DataNames names) {
        this.line = line;
        this.space = space;
        this.index = index;
        this.names = names;
    }

    void define(Definition.Arguments arguments) {
        known.put(arguments.template(), arguments);
    }

    /** The arguments in parentheses, or the result behind an equals sign; nothing without any. */
    void symbolic(RecordTemplate template, long[] words, int at) {
        Definition.Arguments told = known.get(template.number());
        boolean enters = template.site(0).kind() == AccessKind.ENTER;
        if (told == null && template.firstValue() == template.length()) {
            return;
        }
        if (!enters) {
            result(told, template, words, at);
            return;
        }
        line.character('(');
        if (told == null) {
            registers(template, words, at);
        } else {
            arguments(told, template, words, at);
        }
        line.character(')');
    }

    private void result(Definition.Arguments told, RecordTemplate template, long[] words, int at) {
        if (told == null) {
            line.character('=');
            line.hexadecimal(words[at + template.firstValue()]);
        } else if (!told.all().isEmpty()) {
            line.character('=');
            value(told.all().get(0), template, words, at);
        }
    }

    private void arguments(
            Definition.Arguments told, RecordTemplate template, long[] words, int at) {
        boolean first = true;
        for (Argument argument : told.all()) {
            comma(first);
            first = false;
            if (!argument.name().isEmpty()) {
                line.text(bytes(argument.name()));
                line.character('=');
            }
            value(argument, template, words, at);
        }
        if (told.more()) {
            comma(first);
            line.text(bytes("..."));
        }
    }

    /** Of a function whose parameters are not known. */
    private void registers(RecordTemplate template, long[] words, int at) {
        boolean first = true;
        for (int register : ORDER) {
            int word = wordOf(template, register);
            if (word >= 0) {
                comma(first);
                first = false;
                line.text(bytes(REGISTERS[register] + "="));
                line.hexadecimal(words[at + word]);
            }
        }
    }

    /** As raw lines have them: all words, each behind a comma. */
    void raw(RecordTemplate template, long[] words, int at) {
        for (int i = template.firstValue(); i < template.length(); i++) {
            line.character(',');
            line.hexadecimal(words[at + i]);
        }
    }

    private void comma(boolean first) {
        if (!first) {
            line.pair(',', ' ');
        }
    }

    private static int wordOf(RecordTemplate template, int place) {
        for (int i = template.firstValue(); i < template.length(); i++) {
            if (template.site(i).operand() == place) {
                return i;
            }
        }
        return -1;
    }

    private void value(Argument argument, RecordTemplate template, long[] words, int at) {
        int word = wordOf(template, argument.place());
        if (word < 0) {
            line.character('?');
        } else {
            value(argument, words[at + word]);
        }
    }

    private void value(Argument argument, long word) {
        int unused = Long.SIZE - Byte.SIZE * Math.min(argument.size(), Long.BYTES);
        long unsigned = unused == Long.SIZE ? 0 : word << unused >>> unused;
        long signed = unused == Long.SIZE ? 0 : word << unused >> unused;
        switch (argument.form()) {
            case SIGNED -> line.text(bytes(Long.toString(signed)));
            case UNSIGNED -> line.text(bytes(Long.toUnsignedString(unsigned)));
            case BOOLEAN ->
                line.text(bytes(
                        unsigned > 1 ? Long.toString(unsigned) : unsigned == 1 ? "true" : "false"));
            case CHARACTER -> line.text(bytes(character(signed)));
            case FLOATING -> line.text(bytes(floating(argument.size(), word)));
            case ENUMERATION -> {
                String name = argument.constants().get(unsigned);
                line.text(bytes(name == null ? Long.toString(signed) : name));
            }
            case POINTER -> pointer(word);
        }
    }

    private static String character(long value) {
        boolean shown = value > ' ' && value < 0x7f && "'\\,()".indexOf((char) value) < 0;
        return shown ? "'" + (char) value + "'" : Long.toString(value);
    }

    private static String floating(int size, long word) {
        return size == Float.BYTES
                ? Float.toString(Float.intBitsToFloat((int) word))
                : Double.toString(Double.longBitsToDouble(word));
    }

    /** By the name of the variable, block or function, if it has one. */
    private void pointer(long address) {
        if (address == 0) {
            line.text(NIL);
            return;
        }
        NamedRange there = index.at(address);
        if (there.block() != null || there.symbol() != null) {
            names.append(line, there, names.of(there), address, 0);
        } else if (there.region() != null && there.region().kind() == RegionKind.CODE) {
            line.text(bytes(function(space.code(address))));
        } else {
            line.hexadecimal(address);
        }
    }

    /** A function is its name; what lies within one has an offset. */
    private static String function(String code) {
        return code.endsWith("+0") ? code.substring(0, code.length() - 2) : code;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
