package dev.madt.console;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes the value of an option explicit that may have none, so that the next word is not taken for
 * it: {@code --top prog.madt} becomes {@code --top= prog.madt}, and {@code --top 5} becomes
 * {@code --top=5}.
 */
public final class OptionalValue {
    private OptionalValue() {}

    /**
     * Returns the arguments with the values of an option behind it.
     *
     * @param option with its dashes
     * @param isValue whether the word behind the option is its value
     * @param otherwise its value where none is given
     */
    public static String[] spelled(
            String[] arguments, String option, Predicate<String> isValue, String otherwise) {
        List<String> spelled = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].equals(option)) {
                spelled.add(arguments[i]);
            } else if (i + 1 < arguments.length && isValue.test(arguments[i + 1])) {
                spelled.add(option + "=" + arguments[++i]);
            } else {
                spelled.add(option + "=" + otherwise);
            }
        }
        return spelled.toArray(String[]::new);
    }
}
