package dev.madt.resolver.guess;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.FortranDescriptor;
import dev.madt.resolver.type.NamedType;
import dev.madt.resolver.type.Notation;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what a line {@code allocate (field(3,n), p)} of Fortran allocates: the elements of the
 * arrays that its statements name. Which of several objects a call allocates is not known: they
 * must be of one type. Only bounds that stand there as numbers are known. A guess: it reads the
 * line, not the code.
 */
public final class FortranAllocation {
    private static final Pattern ALLOCATE =
            Pattern.compile("\\ballocate\\s*\\(", Pattern.CASE_INSENSITIVE);
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    private final Function<String, Type> locals;
    private final Function<String, Type> globals;

    /**
     * @param locals finds the type of a local variable; null for one that there is not
     * @param globals finds the type of a variable of a module; null for one that it does not know
     */
    public FortranAllocation(Function<String, Type> locals, Function<String, Type> globals) {
        this.locals = locals;
        this.globals = globals;
    }

    /** The type of what a line allocates, or null if nothing can be said. */
    public Type guess(String line) {
        Matcher matcher = ALLOCATE.matcher(line);
        List<String> objects = new ArrayList<>();
        while (matcher.find()) { // a line may have several statements
            objects.addAll(parts(line, matcher.end()));
        }
        Type guess = null;
        for (String object : objects) {
            if (object.contains("::")) {
                return null; // another type than that of the variable
            }
            if (!object.matches("(?i)(stat|errmsg|source|mold)\\s*=.*")) {
                Type type = allocated(object.toLowerCase(Locale.ROOT));
                if (type == null || guess != null && !guess.name().equals(type.name())) {
                    return null;
                }
                guess = guess == null || sameBounds(guess, type) ? type : unbounded(type);
            }
        }
        return guess;
    }

    /** Returns what stands between commas from a place behind a parenthesis on, up to its end. */
    private static List<String> parts(String text, int from) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = from;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (depth == 0 && (c == ',' || c == ')')) {
                parts.add(text.substring(start, i).strip());
                start = i + 1;
                if (c == ')') {
                    return parts;
                }
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return parts;
    }

    private Type allocated(String object) {
        int shape = object.endsWith(")") ? opening(object) : object.length();
        Type variable = variable(object.substring(0, shape).split("%"));
        if (variable == null) {
            return null;
        }
        Type element = FortranDescriptor.element(variable);
        if (element == null) {
            return variable.bare() instanceof PointerType pointer
                            && pointer.target().size() > 0
                            && shape == object.length()
                    ? pointer.target()
                    : null;
        }
        return array(
                element,
                FortranDescriptor.rank(variable),
                shape == object.length() ? List.of() : parts(object, shape + 1));
    }

    /** Returns where the last parenthesis of a text begins. */
    private static int opening(String text) {
        int depth = 0;
        for (int i = text.length() - 1; i > 0; i--) {
            char c = text.charAt(i);
            depth += c == ')' ? 1 : c == '(' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length();
    }

    private Type variable(String[] names) {
        Type type = named(bare(names[0]));
        for (int i = 1; i < names.length && type != null; i++) {
            type = member(type, bare(names[i]));
        }
        return type;
    }

    /** A name without its indices. */
    private static String bare(String name) {
        int index = name.indexOf('(');
        return (index < 0 ? name : name.substring(0, index)).strip();
    }

    private Type named(String name) {
        Type local = locals.apply(name);
        return local == null ? globals.apply(name) : local;
    }

    private static Type member(Type of, String name) {
        Type type = of;
        while (!(type.bare() instanceof RecordType) || FortranDescriptor.element(type) != null) {
            Type element = FortranDescriptor.element(type);
            if (element != null) {
                type = element;
            } else if (type.bare() instanceof ArrayType array) {
                type = array.element();
            } else if (type.bare() instanceof PointerType pointer) {
                type = pointer.target();
            } else {
                return null;
            }
        }
        for (RecordType.Field field : ((RecordType) type.bare()).fields()) {
            if (field.name().equals(name)) {
                return field.type();
            }
        }
        return null;
    }

    /** An array whose bounds are known as far as they are numbers. */
    private static Type array(Type element, int rank, List<String> bounds) {
        Type type = element;
        for (int i = 0; i < rank; i++) {
            boolean last = i == rank - 1;
            String[] both = i < bounds.size() ? bounds.get(i).split(":", 2) : new String[] {"?"};
            String from = both.length > 1 ? both[0].strip() : i < bounds.size() ? "1" : "?";
            String to = both[both.length - 1].strip();
            if (!NUMBER.matcher(from).matches() || !last && !NUMBER.matcher(to).matches()) {
                return unbounded(element, rank);
            }
            long lower = Long.parseLong(from);
            long count = last ? ArrayType.OPEN : Math.max(0, Long.parseLong(to) - lower + 1);
            type = new ArrayType(type, count, type.size(), lower, Notation.FORTRAN);
        }
        return new NamedType(name(element, rank), type);
    }

    private static String name(Type element, int rank) {
        return element.name() + "(:" + ",:".repeat(rank - 1) + ")";
    }

    /** Elements, which are counted as they lie in memory. */
    private static Type unbounded(Type element, int rank) {
        return new NamedType(name(element, rank), element);
    }

    private static boolean sameBounds(Type one, Type other) {
        return one.bare().name().equals(other.bare().name());
    }

    private static Type unbounded(Type type) {
        Type element = type.bare();
        while (element instanceof ArrayType array) {
            element = array.element();
        }
        return new NamedType(type.name(), element);
    }
}
