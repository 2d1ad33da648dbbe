package dev.madt.resolver.demangle;

import java.util.HashMap;
import java.util.Map;

/**
 * Says how the symbols of a trace are shown that is still written: in short, unless another symbol
 * is shown so already. So names tell symbols apart, but a name does not say that another one
 * differs.
 */
public final class GrowingNames implements Demangler {
    private final Demangler source;
    private final Map<String, String> given = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();

    /** @param source makes whole names of the source of mangled ones */
    public GrowingNames(Demangler source) {
        this.source = source;
    }

    @Override
    public String demangle(String name) {
        return demangle(name, "[?]");
    }

    @Override
    public String demangle(String name, String label) {
        String key = name + '\n' + NameBook.module(label);
        String shown = given.get(key);
        for (int level = Spelling.BRIEF; shown == null && level < Spelling.LEVELS; level++) {
            int at = level;
            String text = Demangler.spelled(name, source, whole -> Spelling.of(whole, at));
            shown = owners.putIfAbsent(text, key) == null ? text : null;
        }
        if (shown == null) {
            String module = NameBook.module(label);
            shown = module.isEmpty() ? name : module + ':' + name;
        }
        given.put(key, shown);
        return shown;
    }
}
