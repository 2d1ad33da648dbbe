package dev.madt.resolver.dwarf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The namespaces, classes and functions of a unit, for the qualified names of what is in them. */
final class Scopes {
    private static final int DEEPEST = 32;

    /** Begins the names that Rust's compiler gives functions of closures. */
    private static final String CLOSURE = "{closure#";

    /** Functions by which gcc and clang call a lambda through a pointer. */
    private static final Set<String> OF_LAMBDAS = Set.of("_FUN", "__invoke");

    private final Unit unit;
    private int[] starts = new int[16];
    private int[] parents = new int[16];
    private int[] depths = new int[16];
    private int[] ends = new int[16];
    private int count;

    Scopes(Unit unit) {
        this.unit = unit;
        DieWalk walk = DieWalk.of(unit);
        int open = -1;
        while (walk.next()) {
            open = close(open, walk.depth(), walk.offset());
            if (isScope(walk.tag()) && walk.abbreviation().children) {
                add(walk.offset(), open, walk.depth());
                open = count - 1;
            }
        }
        close(open, 0, unit.end());
    }

    /** The whole types of an unqualified name in a unit. */
    static List<Die> typesNamed(Unit unit, String name) {
        List<Die> all = new ArrayList<>();
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            boolean candidate =
                    isClass(walk.tag()) || walk.tag() == Tag.TYPEDEF || walk.tag() == Tag.BASE_TYPE;
            if (candidate
                    && name.equals(walk.die().name())
                    && !walk.die().flag(Attribute.DECLARATION)) {
                all.add(walk.die());
            }
        }
        return all;
    }

    /**
     * The type that a name means in a scope: one that is declared in it or around it, the innermost
     * one; else the only one of the unit. Null if there is none, or several may be meant.
     *
     * @param functions that the scope is in, the innermost last
     */
    static Die meant(Unit unit, String name, List<Die> functions, Function<Unit, Scopes> scopes) {
        Die innermost = functions.get(functions.size() - 1);
        Die argument = Functions.templateType(innermost, name);
        if (argument != null) {
            return argument;
        }
        List<Die> all = typesNamed(unit, name.substring(name.lastIndexOf(':') + 1));
        String within = name.substring(0, name.lastIndexOf(':') + 1);
        if (all.size() < 2 && within.isEmpty()) {
            return all.isEmpty() ? null : all.get(0);
        }
        String scope = around(innermost, scopes).get(0);
        Die best = null;
        Die only = null;
        int deepest = -1;
        int others = 0;
        for (Die die : all) {
            String around = visible(of(die, scopes));
            boolean named = around.endsWith(within)
                    && scope.startsWith(around.substring(0, around.length() - within.length()));
            if (named && around.length() > deepest) {
                best = die;
                deepest = around.length();
            }
            only = around.endsWith(within) && only == null ? die : only;
            others += around.endsWith(within) ? 1 : 0;
        }
        return best != null ? best : others == 1 ? only : null;
    }

    /** The type of a variable of this name in a unit that is in no function, or null. */
    static Die variableType(Unit unit, String name) {
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            if (walk.tag() == Tag.VARIABLE && name.equals(walk.die().name())) {
                return walk.die().type();
            }
            if (walk.tag() == Tag.SUBPROGRAM) {
                walk.skipChildren();
            }
        }
        return null;
    }

    /** The function that a name or the end of one means, if it was inlined; or null. */
    static Die inlined(Unit unit, String name, Function<Unit, Scopes> scopes) {
        String wanted = "::" + visible(withoutArguments(name));
        String last = wanted.substring(wanted.lastIndexOf(':') + 1);
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            if (walk.tag() == Tag.SUBPROGRAM && walk.abbreviation().has(Attribute.INLINE)) {
                Die die = walk.die();
                boolean may = die.name() != null && withoutArguments(die.name()).equals(last);
                String whole = may ? visible(withoutArguments(qualified(die, scopes))) : "";
                if (("::" + whole).endsWith(wanted)) {
                    return die.has(Attribute.DECL_LINE) ? die : declared(die);
                }
            }
        }
        return null;
    }

    /** Returns a name without the arguments of templates. */
    private static String withoutArguments(String name) {
        String shorter = name;
        for (String before = ""; !before.equals(shorter); ) {
            before = shorter;
            shorter = before.replaceAll("<[^<>]*>", "");
        }
        return shorter;
    }

    /** A scope without what need not be said to name what is in it. */
    private static String visible(String scope) {
        return scope.replace("(anonymous namespace)::", "");
    }

    /**
     * Returns the names of an entry and of what is around it, as scopes, base classes behind a
     * class; the last one is empty.
     */
    static List<String> around(Die die, Function<Unit, Scopes> scopes) {
        List<String> all = new ArrayList<>();
        for (Die at = die; at != null && all.size() < DEEPEST; ) {
            String name = qualified(at, scopes);
            if (name != null) {
                all.add(visible(name + "::"));
            }
            if (isClass(at.tag())) {
                addBases(at, scopes, all);
            }
            Die declared = declared(at);
            at = scopes.apply(declared.unit()).around(declared.offset());
        }
        all.add("");
        return all;
    }

    private static void addBases(Die type, Function<Unit, Scopes> scopes, List<String> all) {
        Die whole = type.defined();
        if (whole == null) {
            return;
        }
        DieWalk walk = DieWalk.below(whole);
        while (walk.next() && all.size() < DEEPEST) {
            Die base = walk.tag() == Tag.INHERITANCE ? walk.die().type() : null;
            String name = base == null ? null : qualified(base, scopes);
            if (name != null) {
                all.add(visible(name + "::"));
                addBases(base, scopes, all);
            }
            walk.skipChildren();
        }
    }

    /** A number that has a name. */
    record Number(long value, Die type) {}

    /** The enumerators and constants of a unit that have an unqualified name, by whole names. */
    static Map<String, Number> constants(Unit unit, String name, Function<Unit, Scopes> scopes) {
        Map<String, Number> all = new LinkedHashMap<>();
        Die enumeration = null;
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            switch (walk.tag()) {
                case Tag.ENUMERATION_TYPE -> enumeration = walk.die();
                case Tag.ENUMERATOR, Tag.MEMBER, Tag.VARIABLE -> {
                    Die die = walk.abbreviation().has(Attribute.CONST_VALUE) ? walk.die() : null;
                    if (die != null
                            && name.equals(die.name())
                            && die.isConstant(Attribute.CONST_VALUE)) {
                        add(die, enumeration, scopes, all);
                    }
                }
                default -> {}
            }
        }
        return all;
    }

    private static void add(
            Die die, Die enumeration, Function<Unit, Scopes> scopes, Map<String, Number> all) {
        boolean one = die.tag() == Tag.ENUMERATOR;
        Die around = scopes.apply(die.unit()).around(die.offset());
        if (!one && around != null && around.tag() == Tag.SUBPROGRAM) {
            return; // a local variable
        }
        Die type = one ? enumeration : die.type();
        Number number = new Number(die.constant(Attribute.CONST_VALUE, 0), type);
        String scope = visible(of(die, scopes));
        if (one && type.name() != null) {
            all.put(scope + type.name() + "::" + die.name(), number);
        }
        if (!one || !type.flag(Attribute.ENUM_CLASS)) {
            all.putIfAbsent(scope + die.name(), number);
        }
    }

    private static boolean isClass(int tag) {
        return tag == Tag.STRUCTURE_TYPE || tag == Tag.CLASS_TYPE || tag == Tag.UNION_TYPE;
    }

    private static boolean isScope(int tag) {
        return switch (tag) {
            case Tag.NAMESPACE,
                    Tag.MODULE,
                    Tag.STRUCTURE_TYPE,
                    Tag.CLASS_TYPE,
                    Tag.UNION_TYPE,
                    Tag.SUBPROGRAM -> true;
            default -> false;
        };
    }

    /**
     * Ends the scopes that an entry of this depth is not in; returns the innermost one that is
     * left.
     */
    private int close(int open, int depth, int offset) {
        int at = open;
        while (at >= 0 && depths[at] >= depth) {
            ends[at] = offset;
            at = parents[at];
        }
        return at;
    }

    private void add(int offset, int parent, int depth) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            parents = Arrays.copyOf(parents, 2 * count);
            depths = Arrays.copyOf(depths, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        starts[count] = offset;
        parents[count] = parent;
        depths[count++] = depth;
    }

    /**
     * The entry that says where the source has a function that it gives no name: of a lambda the
     * class that the compiler makes of it, of a closure of Rust the function. Null for all others.
     */
    static Die unnamed(Die function, Function<Unit, Scopes> scopes) {
        String name = function.name();
        if (name == null) {
            return null;
        }
        Die declared = declared(function);
        if (name.startsWith(CLOSURE)) {
            return declared;
        }
        boolean mayBe = name.startsWith("operator()") || OF_LAMBDAS.contains(name);
        Die around = mayBe ? scopes.apply(declared.unit()).around(declared.offset()) : null;
        return around != null && isLambda(around) ? around : null;
    }

    /** A lambda's class has no name, or one that no source has. */
    static boolean isLambda(Die type) {
        return isClass(type.tag())
                && (type.name() == null || type.name().startsWith(TypeNames.LAMBDA));
    }

    private static Die declared(Die die) {
        Die declared = die;
        for (int hop = 0; hop < DEEPEST && declared.completed() != null; hop++) {
            declared = declared.completed();
        }
        return declared;
    }

    /** The name of what an entry is in, with {@code ::} behind it; empty if it is in nothing. */
    static String of(Die die, Function<Unit, Scopes> scopes) {
        Die scope = scopes.apply(die.unit()).around(die.offset());
        String name = scope == null ? null : qualified(scope, scopes);
        return name == null ? "" : name + "::";
    }

    /** The name of an entry with {@code a::b::} in front; null if it has no name. */
    static String qualified(Die die, Function<Unit, Scopes> scopes) {
        return qualified(die, scopes, 0);
    }

    private static String qualified(Die die, Function<Unit, Scopes> scopes, int depth) {
        Die declared = declared(die);
        String name = die.name();
        if (name == null && declared.tag() == Tag.NAMESPACE) {
            name = "(anonymous namespace)";
        }
        Die scope =
                depth > DEEPEST ? null : scopes.apply(declared.unit()).around(declared.offset());
        String outer = scope == null ? null : qualified(scope, scopes, depth + 1);
        return name == null ? null : outer == null ? name : outer + "::" + name;
    }

    /** The innermost scope around an entry, or null. */
    private Die around(int offset) {
        int found = Arrays.binarySearch(starts, 0, count, offset);
        int at = found >= 0 ? parents[found] : -found - 2;
        while (at >= 0 && ends[at] <= offset) {
            at = parents[at];
        }
        return at < 0 ? null : Die.at(unit, starts[at]);
    }
}
