package dev.madt.leaves;

import dev.madt.guard.Guard.Taken;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.StaticOperand;
import dev.madt.resolver.local.Computed;
import dev.madt.resolver.local.Signature;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Argument;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.LeafForm;
import dev.madt.trace.instrument.UnknownLeafException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the words that a leaf of an expression takes at an instruction: registers, and memory that
 * a register or a fixed address leads to by up to three loads. The debug information tells where
 * variables are there, and of which types.
 */
public final class LeafWords {
    /** {@code MADT_PROBE_LOADS}. */
    private static final int LOADS = 3;

    /** {@code MADT_CALL_CHAIN}. */
    private static final int CHAIN = 1;

    private static final int HALF = 4;
    /** Bytes of a floating-point number of the x87 unit. */
    private static final int LONG_REAL = 10;
    /** Of a text that nobody asked for by itself. */
    private static final int FIRST_BYTES = 24;

    private final List<StaticOperand> operands;
    private final VariablePlaces places;
    private final LeafWays ways;

    /**
     * @param debug null if there is none
     * @param address of the instruction
     * @param operands the values that the source names; null: it does not name the place
     * @param entry whether a function is entered there: its parameters are where they are passed
     */
    public LeafWords(
            ElfModule elf,
            DebugInfo debug,
            long address,
            List<StaticOperand> operands,
            boolean entry) {
        this.operands = operands;
        this.places = new VariablePlaces(elf, debug, address, entry);
        this.ways = new LeafWays(elf, debug, places);
    }

    /** Returns the words of a leaf; {@link Taken#NOTHING} where it is nowhere at this place. */
    public Taken of(Leaf leaf) throws UnknownLeafException {
        if (leaf.kind() == Leaf.Kind.THREAD) {
            return new Taken(List.of(), new LeafForm(LeafForm.Kind.NOWHERE, 0, false, 0));
        }
        if (leaf.kind() == Leaf.Kind.STACK) {
            return new Taken(
                    List.of(new Word(AccessKind.ANSWER, CHAIN, 0, 0, List.of(leaf.calls()))),
                    LeafForm.WHOLE);
        }
        if (leaf.timeForm() != null && leaf.steps().isEmpty()) {
            return new Taken(List.of(Word.TIME), leaf.timeForm());
        }
        if (leaf.kind() == Leaf.Kind.ARGUMENT && operands != null) {
            return operand(leaf);
        }
        LeafForm passed = leaf.steps().isEmpty() && !leaf.isText() ? passed(leaf) : null;
        if (passed != null) {
            return new Taken(List.of(register(leaf.register())), passed);
        }
        Way way = ways.of(leaf);
        boolean nowhere = way == Way.NOWHERE
                || way.hasNoValue()
                || way.inRegister() && way.type() != null && way.type().bare() instanceof ArrayType;
        if (nowhere || leaf.isText() && (way.isConstant() || way.isComputed())) {
            return Taken.NOTHING;
        }
        return leaf.isText() ? textOf(way, leaf) : value(way, leaf);
    }

    /**
     * Returns the form of an argument or result whose type is an integer without a sign, or one
     * shorter than a register, of which the rest holds anything (System V ABI); null if it is no
     * such.
     */
    private LeafForm passed(Leaf leaf) {
        boolean result = leaf.kind() == Leaf.Kind.RESULT;
        boolean passed = result || leaf.kind() == Leaf.Kind.ARGUMENT;
        Signature signature = passed ? places.signature() : null;
        if (signature == null) {
            return null;
        }
        Stream<Argument> all = result
                ? Stream.ofNullable(signature.result())
                : signature.arguments().stream()
                        .filter(argument -> argument.place() == leaf.register());
        return all.filter(argument -> argument.form() != Argument.Form.FLOATING)
                .filter(argument -> argument.size() > 0 && argument.size() < Long.BYTES
                        || argument.form() == Argument.Form.UNSIGNED)
                .map(argument -> new LeafForm(
                        LeafForm.Kind.REGISTER, argument.size(), isSigned(argument), 0))
                .findFirst()
                .orElse(null);
    }

    private static boolean isSigned(Argument argument) {
        return argument.form() == Argument.Form.SIGNED
                || argument.form() == Argument.Form.CHARACTER;
    }

    /* ------------------------------------------------------------ values that the source names */

    private Taken operand(Leaf leaf) throws UnknownLeafException {
        int number = leaf.root().charAt(leaf.root().length() - 1) - '0';
        if (number >= operands.size()) {
            throw LeafWays.wrong(
                    "this place has " + operands.size() + " values", leaf.column(), leaf, Set.of());
        }
        StaticOperand operand = operands.get(number);
        if (leaf.steps().isEmpty() && !leaf.isText()) {
            return operand(operand);
        }
        Way way =
                switch (operand.kind()) {
                    case REGISTER -> new Way(true, operand.register(), List.of(), null);
                    case MEMORY ->
                        new Way(false, operand.register(), List.of(operand.number(), 0L), null);
                    default -> null;
                };
        if (way == null) {
            return Taken.NOTHING;
        }
        if (!leaf.isText()) {
            throw LeafWays.wrong(
                    "what lies behind " + leaf.root() + " has no type; say str(" + leaf.root()
                            + ")",
                    leaf.steps().get(0).column(),
                    leaf,
                    Set.of());
        }
        return text(way.inRegister() ? way.loaded(0, null) : way, leaf.bytes());
    }

    /** Adds all of them to those of an instrument, with the first bytes of texts. */
    public void addOperands(Map<String, LeafForm> leaves, List<Word> words) {
        for (int i = 0; i < operands.size(); i++) {
            StaticOperand operand = operands.get(i);
            boolean text = operand.form() == StaticOperand.Form.TEXT
                    && operand.kind() == StaticOperand.Kind.REGISTER;
            Taken taken = text
                    ? text(new Way(false, operand.register(), List.of(0L), null), FIRST_BYTES)
                    : operand(operand);
            leaves.put("value" + i, taken.form());
            words.addAll(taken.words());
        }
    }

    private static Taken operand(StaticOperand operand) {
        int size = operand.bytes();
        boolean real = operand.form() == StaticOperand.Form.FLOAT;
        boolean signed = operand.form() == StaticOperand.Form.SIGNED;
        long number = operand.number();
        return switch (operand.kind()) {
            case CONSTANT ->
                new Taken(
                        List.of(),
                        real
                                ? new LeafForm(
                                        LeafForm.Kind.REAL,
                                        size,
                                        false,
                                        LeafForm.real(number, size))
                                : new LeafForm(
                                        LeafForm.Kind.CONSTANT, size, signed, operand.value(0)));
            case REGISTER -> {
                boolean address = operand.form() == StaticOperand.Form.POINTER
                        || operand.form() == StaticOperand.Form.TEXT;
                LeafForm.Kind kind = real
                        ? LeafForm.Kind.FLOAT
                        : address ? LeafForm.Kind.POINTER : LeafForm.Kind.REGISTER;
                yield number == 0
                        ? new Taken(
                                List.of(register(operand.register())),
                                new LeafForm(kind, size, signed, 0))
                        : Taken.NOTHING;
            }
            case MEMORY ->
                number == (int) number && !real
                        ? new Taken(
                                memory(operand.register(), (int) number, size),
                                new LeafForm(LeafForm.Kind.MEMORY, size, signed, 0))
                        : Taken.NOTHING;
            case OTHER -> Taken.NOTHING;
        };
    }

    private static List<Word> memory(int register, int distance, int size) {
        int part = Math.min(size, HALF);
        List<Word> words = new ArrayList<>();
        for (int at = 0; at < size; at += part) {
            words.add(new Word(AccessKind.MEMORY, register, 1, part, List.of(distance + at)));
        }
        return words;
    }

    /* ------------------------------------------------------------ words */

    private Taken value(Way way, Leaf leaf) throws UnknownLeafException {
        Type type = way.type() == null ? null : way.type().bare();
        if (type != null && ScalarType.isLongReal(type)) {
            return longReal(way, leaf);
        }
        if (way.isConstant()) {
            return constant(way, type, leaf);
        }
        if (way.isComputed()) {
            return computed(way, type, leaf);
        }
        if (way.bits() != null) {
            return bits(way, leaf);
        }
        if (way.inRegister()) {
            boolean whole = type == null || type instanceof PointerType;
            return new Taken(
                    List.of(
                            way.distances().isEmpty()
                                    ? register(way.base())
                                    : new Word(
                                            AccessKind.ADDRESS,
                                            way.base(),
                                            0,
                                            0,
                                            distances(way, 0, LOADS, leaf))),
                    whole
                            ? LeafForm.WHOLE
                            : new LeafForm(
                                    ScalarType.isReal(type)
                                            ? LeafForm.Kind.FLOAT
                                            : LeafForm.Kind.REGISTER,
                                    size(type, leaf),
                                    ScalarType.isSigned(type),
                                    way.shift()));
        }
        if (type instanceof ArrayType) {
            return address(way, leaf);
        }
        if (type instanceof PointerType) {
            return new Taken(
                    List.of(memory(way, 0, Long.BYTES, leaf)),
                    new LeafForm(LeafForm.Kind.POINTER, Long.BYTES, false, 0));
        }
        int size = size(type, leaf);
        List<Word> words = size == Long.BYTES
                ? List.of(memory(way, 0, HALF, leaf), memory(way, HALF, HALF, leaf))
                : List.of(memory(way, 0, size, leaf));
        LeafForm.Kind kind =
                ScalarType.isReal(type) ? LeafForm.Kind.FLOAT_MEMORY : LeafForm.Kind.MEMORY;
        return new Taken(words, new LeafForm(kind, size, ScalarType.isSigned(type), 0));
    }

    /** Takes one in memory, as it is passed and kept. */
    private static Taken longReal(Way way, Leaf leaf) throws UnknownLeafException {
        if (way.inRegister() || way.isComputed()) {
            return Taken.NOTHING;
        }
        return new Taken(
                List.of(
                        memory(way, 0, HALF, leaf),
                        memory(way, HALF, HALF, leaf),
                        memory(way, Long.BYTES, Short.BYTES, leaf)),
                new LeafForm(LeafForm.Kind.LONG_FLOAT_MEMORY, LONG_REAL, false, 0));
    }

    private Taken computed(Way way, Type type, Leaf leaf) throws UnknownLeafException {
        boolean array = type instanceof ArrayType && !way.inRegister();
        boolean pointer = array || type instanceof PointerType;
        int size = pointer ? Long.BYTES : size(type, leaf);
        if (way.bits() != null) {
            return Taken.NOTHING;
        }
        Computed value = way.inRegister() || array
                ? way.computed()
                : new Computed.Memory(way.computed(), size);
        FormulaWords.Made made = FormulaWords.of(value, places);
        LeafForm.Kind kind = !pointer && ScalarType.isReal(type)
                ? LeafForm.Kind.COMPUTED_FLOAT
                : LeafForm.Kind.COMPUTED;
        return made == null
                ? Taken.NOTHING
                : new Taken(
                        made.words(),
                        new LeafForm(
                                kind,
                                size,
                                !pointer && ScalarType.isSigned(type),
                                way.shift(),
                                made.formula()));
    }

    private static Taken constant(Way way, Type type, Leaf leaf) throws UnknownLeafException {
        boolean pointer = type instanceof PointerType;
        int size = pointer ? Long.BYTES : size(type, leaf);
        boolean signed = !pointer && ScalarType.isSigned(type);
        if (!pointer && ScalarType.isReal(type)) {
            return new Taken(
                    List.of(),
                    new LeafForm(
                            LeafForm.Kind.REAL,
                            size,
                            false,
                            LeafForm.real(way.sum() >>> way.shift(), size)));
        }
        long value = new LeafForm(LeafForm.Kind.REGISTER, size, signed, 0)
                .read(new long[] {way.sum() >>> way.shift()}, 0)
                .bits();
        return new Taken(List.of(), new LeafForm(LeafForm.Kind.CONSTANT, size, signed, value));
    }

    /** Reads the unit of its type that the bits are in, or as few bytes as they take. */
    private static Taken bits(Way way, Leaf leaf) throws UnknownLeafException {
        RecordType.Field field = way.bits();
        Type type = field.type().bare();
        int size = size(type, leaf);
        long before = field.offset() % size;
        if (8 * before + field.bitOffset() + field.bitSize() > 8L * size) {
            before = 0;
            size = Math.max(1, Integer.highestOneBit(2 * (int) field.size() - 1));
        }
        if (size > Long.BYTES) {
            throw LeafWays.wrong("this bit-field takes nine bytes", leaf.column(), leaf, Set.of());
        }
        List<Word> words = size == Long.BYTES
                ? List.of(memory(way, -before, HALF, leaf), memory(way, HALF - before, HALF, leaf))
                : List.of(memory(way, -before, size, leaf));
        int first = 8 * (int) before + field.bitOffset();
        return new Taken(
                words, LeafForm.bits(size, ScalarType.isSigned(type), first, field.bitSize()));
    }

    private static int size(Type type, Leaf leaf) throws UnknownLeafException {
        boolean real = type instanceof ScalarType && ScalarType.isReal(type);
        if (!real && (!(type instanceof ScalarType scalar) || !scalar.isInteger())) {
            throw LeafWays.wrong(
                    "'" + leaf.text() + "' is of the type " + type.name()
                            + (type instanceof RecordType ? "; name a member of it" : "")
                            + ", and only integers, floating-point numbers of 4 and 8 bytes,"
                            + " pointers and arrays can be taken",
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        return (int) type.size();
    }

    /** Takes the address of something that is behind some loads, or beside a register. */
    private static Taken address(Way there, Leaf leaf) throws UnknownLeafException {
        Way way = there.based();
        long last = way.distances().get(way.loads());
        if (way.loads() == 0) {
            return new Taken(
                    List.of(new Word(
                            AccessKind.ADDRESS, way.base(), 0, 0, List.of(Math.toIntExact(last)))),
                    LeafForm.WHOLE);
        }
        Way pointer =
                new Way(false, way.base(), way.distances().subList(0, way.loads()), way.type());
        return new Taken(
                List.of(memory(pointer, 0, Long.BYTES, leaf)),
                new LeafForm(LeafForm.Kind.POINTER, Long.BYTES, false, last));
    }

    private static Word register(int number) {
        return FormulaWords.register(number);
    }

    private static Word memory(Way way, long more, int size, Leaf leaf)
            throws UnknownLeafException {
        List<Integer> distances = distances(way, more, LOADS, leaf);
        return new Word(AccessKind.MEMORY, way.base(), distances.size(), size, distances);
    }

    private static List<Integer> distances(Way way, long more, int most, Leaf leaf)
            throws UnknownLeafException {
        if (way.distances().size() > most) {
            throw LeafWays.wrong(
                    "'" + leaf.text() + "' takes more than " + most + " loads",
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        List<Integer> distances = new ArrayList<>();
        for (int i = 0; i < way.distances().size(); i++) {
            long distance = way.distances().get(i) + (i == way.loads() ? more : 0);
            if (distance != (int) distance) {
                throw LeafWays.wrong("this is too far away", leaf.column(), leaf, Set.of());
            }
            distances.add((int) distance);
        }
        return distances;
    }

    private static Taken textOf(Way way, Leaf leaf) throws UnknownLeafException {
        Way place = way;
        Type type = way.type() == null ? null : way.type().bare();
        if (way.inRegister() && type == null || type instanceof PointerType) {
            place = way.loaded(0, type);
        } else if (!(type instanceof ArrayType)) {
            throw LeafWays.wrong(
                    "'" + leaf.text() + "' is no pointer and no array",
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        distances(place.based(), 0, LOADS, leaf);
        return text(place.based(), leaf.bytes());
    }

    /** The first bytes of the text at a place, whose distances are near. */
    private static Taken text(Way place, int bytes) {
        List<Integer> distances =
                place.distances().stream().map(Math::toIntExact).toList();
        int loads = distances.size() - 1;
        LeafForm form = new LeafForm(
                LeafForm.Kind.TEXT, bytes, false, loads == 0 ? 0 : distances.get(loads));
        List<Word> words = new ArrayList<>();
        words.add(
                loads == 0
                        ? new Word(AccessKind.ADDRESS, place.base(), 0, 0, distances)
                        : new Word(
                                AccessKind.MEMORY,
                                place.base(),
                                loads,
                                Long.BYTES,
                                distances.subList(0, loads)));
        for (int piece = 0; piece < form.pieces(); piece++) {
            words.add(new Word(AccessKind.TEXT, place.base(), loads, piece, distances));
        }
        return new Taken(words, form);
    }
}
