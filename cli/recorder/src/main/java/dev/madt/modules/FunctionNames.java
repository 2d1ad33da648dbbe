package dev.madt.modules;

import dev.madt.natives.CxxDemangler;
import dev.madt.resolver.demangle.ColdCode;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.ShortNames;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The names by which a user may call a function: the linker's, the source's, and the source's in
 * short, with arguments of templates and without; of what compilers make of a function ({@code
 * f.constprop.0}) also that of the function.
 */
public final class FunctionNames {
    private static final Pattern CLONE =
            Pattern.compile("(\\.(constprop|isra|part|lto_priv|cold)(\\.[0-9]+)*)+$");

    /** Code that is told apart from that of a function whose symbol covers it. */
    private static final Pattern NESTED = Pattern.compile("\\+0x[0-9a-f]+$");

    private Demangler demangler;

    private String source(String mangled) {
        demangler = demangler == null ? CxxDemangler.create() : demangler;
        return demangler.demangle(mangled);
    }

    /** The last one is what views print. */
    public List<String> of(String symbol) {
        String plain = CLONE.matcher(symbol).replaceFirst("");
        String source = Demangler.spelled(plain, this::source, name -> name);
        if (source.equals(plain)) {
            return List.of(symbol, plain);
        }
        String shortened = ShortNames.of(source);
        return List.of(
                symbol,
                plain,
                source,
                ShortNames.whole(source),
                ShortNames.withoutType(shortened),
                shortened);
    }

    /**
     * As {@link #of}, but a part that was put elsewhere, or has a frame of its own, has its names:
     * {@code f.cold}, {@code f+0x1f}.
     */
    public List<String> ofCode(String symbol) {
        String function = ColdCode.whole(NESTED.matcher(symbol).replaceFirst(""));
        String part = symbol.substring(function.length());
        return of(function).stream().map(name -> name + part).toList();
    }

    /** Returns the function that a name of {@link #ofCode} is a part of; null: it is no part. */
    static String whole(String name) {
        String function = ColdCode.whole(name);
        return function.equals(name) ? null : function;
    }
}
