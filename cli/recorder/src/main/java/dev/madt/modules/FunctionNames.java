package dev.madt.modules;

import dev.madt.natives.CxxDemangler;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.ShortNames;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The names by which a user may call a function: the linker's, the source's, and the source's in
 * short; of what compilers make of a function ({@code f.constprop.0}) also that of the function.
 */
public final class FunctionNames {
    private static final Pattern CLONE =
            Pattern.compile("(\\.(constprop|isra|part|lto_priv|cold)(\\.[0-9]+)*)+$");

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
        return List.of(symbol, plain, source, ShortNames.withoutType(shortened), shortened);
    }
}
