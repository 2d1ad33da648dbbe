package dev.madt.leaves;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.local.Constant;
import dev.madt.resolver.local.Local;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.UnknownLeafException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds where what a leaf names is at an instruction, by the rules of its language. */
record LeafWays(ElfModule elf, DebugInfo debug, VariablePlaces places) {
    /** Base classes of base classes, and structs without a name in such. */
    private static final int DEEPEST = 9;

    private static final String THIS = "this";
    private static final String SCOPE = "::";

    /** Returns where it is. */
    Way of(Leaf leaf) throws UnknownLeafException {
        Way way = leaf.kind() == Leaf.Kind.NAME
                ? variable(leaf)
                : new Way(true, leaf.register(), List.of(), null);
        for (Leaf.Step step : leaf.steps()) {
            way = way == Way.NOWHERE ? way : step(way, step, leaf);
        }
        return way == Way.NOWHERE ? way : value(way, leaf.isText());
    }

    /* ------------------------------------------------------------ names */

    private Way variable(Leaf leaf) throws UnknownLeafException {
        if (debug == null) {
            throw wrong(
                    "the names of variables are not known without debug information (-g); say"
                            + " reg(rdi) or arg0",
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        Set<String> known = new TreeSet<>();
        List<Local> locals = locals();
        boolean local = !leaf.root().startsWith(SCOPE);
        Way found = local(local ? locals : List.of(), leaf.root(), known);
        found = found == null ? inScope(leaf) : found;
        if (found != null) {
            return found;
        }
        known.addAll(new GlobalVariables(elf, debug).names());
        String split = debug.hasFunction(places.address()) ? null : debug.split();
        if (split != null) {
            throw wrong(split, leaf.column(), leaf, Set.of());
        }
        throw wrong("no variable is called '" + leaf.root() + "' here", leaf.column(), leaf, known);
    }

    /**
     * Returns what is in scope, the innermost first; where a function is entered its own go before
     * those of what is inlined there, which nobody sees.
     */
    private List<Local> locals() {
        List<Local> all = new ArrayList<>(debug.locals(places.address()));
        if (places.isEntry()) {
            all.sort(Comparator.comparing(local -> local.function() != null));
        }
        return all;
    }

    /**
     * Finds a variable of the innermost function that has one of this name, or a member of its
     * object: each goes before what the function has around it that it is inlined into.
     */
    private Way local(List<Local> locals, String name, Set<String> known) {
        for (Local local : locals) {
            known.add(local.name());
            if (local.name().equals(name)) {
                return places.of(local);
            }
            RecordType object = object(local);
            if (object != null && !hasOwn(locals, local.function(), name)) {
                Way member = member(places.of(local).loaded(0, object), object, name, known, 0);
                if (member != null) {
                    return member;
                }
            }
        }
        return null;
    }

    /** Returns the type of the object whose member function has this as a variable; or null. */
    private static RecordType object(Local local) {
        return local.name().equals(THIS)
                        && local.type().bare() instanceof PointerType pointer
                        && pointer.target().bare() instanceof RecordType object
                ? object
                : null;
    }

    /** Returns whether a function has a variable of this name. */
    private static boolean hasOwn(List<Local> locals, String function, String name) {
        return locals.stream()
                .anyMatch(local -> local.name().equals(name)
                        && (function == null
                                ? local.function() == null
                                : function.equals(local.function())));
    }

    /** Finds a variable or constant of the innermost scope that has one of this name. */
    private Way inScope(Leaf leaf) throws UnknownLeafException {
        boolean outermost = leaf.root().startsWith(SCOPE);
        String name = outermost ? leaf.root().substring(SCOPE.length()) : leaf.root();
        String last = name.substring(name.lastIndexOf(':') + 1);
        GlobalVariables variables = new GlobalVariables(elf, debug);
        List<GlobalVariables.Global> all = variables.endingIn(name);
        Map<String, Constant> constants = debug.constants(places.address(), last);
        List<String> scopes =
                outermost ? List.of("") : debug.scopes(places.address(), !places.isEntry());
        for (String scope : scopes) {
            for (GlobalVariables.Global one : all) {
                if (GlobalVariables.visible(one.variable().name()).equals(scope + name)) {
                    return global(one, leaf);
                }
            }
            if (constants.containsKey(scope + name)) {
                return constant(constants.get(scope + name));
            }
        }
        List<GlobalVariables.Global> found = GlobalVariables.named(name, all);
        if (found.size() > 1) {
            Set<String> names = new TreeSet<>();
            found.forEach(one -> names.add(one.variable().name()));
            throw wrong(
                    "several variables are called '" + name + "': " + String.join(", ", names),
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        if (found.size() == 1) {
            return global(found.get(0), leaf);
        }
        List<Constant> ending = constants.entrySet().stream()
                .filter(one -> one.getKey().endsWith(SCOPE + name))
                .map(Map.Entry::getValue)
                .distinct()
                .toList();
        return ending.size() == 1 ? constant(ending.get(0)) : null;
    }

    private Way global(GlobalVariables.Global global, Leaf leaf) throws UnknownLeafException {
        Variable variable = global.variable();
        if (!global.threadLocal()) {
            return VariablePlaces.fixed(variable.start(), variable.type());
        }
        Way way = places.inThread(variable.start(), variable.type());
        if (way == Way.NOWHERE) {
            throw wrong(
                    "'" + leaf.root() + "' is thread-local in a library: where it is in a thread"
                            + " only the loader knows; those of a program can be taken",
                    leaf.column(),
                    leaf,
                    Set.of());
        }
        return way;
    }

    private static Way constant(Constant constant) {
        return new Way(true, Way.CONSTANT, List.of(constant.value()), constant.type());
    }

    /* ------------------------------------------------------------ steps */

    private static Way step(Way way, Leaf.Step step, Leaf leaf) throws UnknownLeafException {
        Way from = way;
        Type type = from.type() == null ? null : from.type().bare();
        if (type == null) {
            throw wrong(
                    "what lies behind " + leaf.root() + " has no type; say the variable's name, or"
                            + " str(" + leaf.root() + ")",
                    step.column(),
                    leaf,
                    Set.of());
        }
        if (type instanceof PointerType pointer && isMeant(pointer, step)) {
            from = from.loaded(0, pointer.target());
            type = pointer.target().bare();
        }
        if (from == Way.NOWHERE) {
            return from;
        }
        if (step.member() == null) {
            return element(from, type, step, leaf);
        }
        if (!step.through()) {
            return member(from, type, step, leaf);
        }
        if (!(type instanceof PointerType pointer)) {
            throw wrong("what stands in front of -> is no pointer", step.column(), leaf, Set.of());
        }
        return member(from.loaded(0, pointer.target()), pointer.target().bare(), step, leaf);
    }

    /** Returns whether a step is one of what a reference leads to, and not of the reference. */
    private static boolean isMeant(PointerType reference, Leaf.Step step) {
        boolean member = step.member() != null && !step.through();
        return reference.kind() == PointerType.Kind.BORROW
                ? member
                : reference.kind() == PointerType.Kind.REFERENCE
                        && (member || isPointer(reference.target()));
    }

    private static boolean isPointer(Type type) {
        return type.bare() instanceof PointerType || type.bare() instanceof ArrayType;
    }

    /** Returns where the value is: that of a reference is what it leads to, if that has one. */
    private static Way value(Way way, boolean text) {
        Type type = way.type() == null ? null : way.type().bare();
        if (!(type instanceof PointerType pointer)
                || pointer.kind() != PointerType.Kind.REFERENCE) {
            return way;
        }
        Type target = pointer.target();
        boolean has = isPointer(target)
                || !text && target.size() > 0 && !(target.bare() instanceof RecordType);
        return has ? way.loaded(0, target) : way;
    }

    private static Way element(Way from, Type type, Leaf.Step step, Leaf leaf)
            throws UnknownLeafException {
        if (type instanceof ArrayType array) {
            return from.moved((step.index() - array.lower()) * array.stride(), array.element());
        }
        if (type instanceof PointerType pointer) {
            Type target = pointer.target();
            return from.loaded(step.index() * Math.max(1, target.size()), target);
        }
        throw wrong("this is neither a pointer nor an array", step.column(), leaf, Set.of());
    }

    private static Way member(Way from, Type type, Leaf.Step step, Leaf leaf)
            throws UnknownLeafException {
        if (!(type instanceof RecordType record)) {
            throw wrong(
                    type instanceof PointerType
                            ? "this is a pointer: say ->" + step.member()
                            : "'" + step.member() + "' is no member: this is no struct",
                    step.column(),
                    leaf,
                    Set.of());
        }
        Set<String> known = new TreeSet<>();
        Way found = member(from, record, step.member(), known, 0);
        if (found == null) {
            throw wrong(
                    record.name() + " has no member '" + step.member() + "'",
                    step.column(),
                    leaf,
                    known);
        }
        return found;
    }

    /** Returns null if there is none. */
    private static Way member(
            Way from, RecordType record, String name, Set<String> known, int depth) {
        for (RecordType.Field field : record.fields()) {
            if (field.isTransparent() && field.type().bare() instanceof RecordType inner) {
                Way found = depth >= DEEPEST
                        ? null
                        : member(from.moved(field.offset(), inner), inner, name, known, depth + 1);
                if (found != null) {
                    return found;
                }
            }
            known.add(field.name());
            if (field.name().equals(name)) {
                return field.isBitField()
                        ? from.cut(field)
                        : from.moved(field.offset(), field.type());
            }
        }
        return null;
    }

    static UnknownLeafException wrong(String message, int column, Leaf leaf, Set<String> known) {
        String typed = leaf.root();
        for (Leaf.Step step : leaf.steps()) {
            if (step.column() == column && step.member() != null) {
                typed = step.member();
            }
        }
        return new UnknownLeafException(message, column, typed, known);
    }
}
