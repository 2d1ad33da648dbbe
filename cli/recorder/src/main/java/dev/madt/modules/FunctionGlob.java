package dev.madt.modules;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of functions: {@code GLOB}, or {@code lib.so:GLOB} for those of one module; {@code *}
 * stands for any text, {@code ?} for one character.
 *
 * @param option as the user typed it
 * @param text without the module
 * @param module null: any
 */
public record FunctionGlob(String option, String text, Pattern module, Pattern function) {
    public static FunctionGlob of(String option, String glob) {
        int colon = moduleEnd(glob);
        String text = glob.substring(colon + 1);
        return new FunctionGlob(
                option,
                text,
                colon < 0 ? null : Scope.pattern(glob.substring(0, colon)),
                Scope.pattern(text));
    }

    /** Names of C++ have colons, too, but always two. */
    private static int moduleEnd(String glob) {
        int colon = glob.indexOf(':');
        return colon > 0 && !glob.startsWith("::", colon) ? colon : -1;
    }

    /** @param names of the function, as {@link FunctionNames} has them */
    public boolean matches(String moduleName, List<String> names) {
        return (module == null || module.matcher(moduleName).matches())
                && names.stream().anyMatch(name -> function.matcher(name).matches());
    }
}
