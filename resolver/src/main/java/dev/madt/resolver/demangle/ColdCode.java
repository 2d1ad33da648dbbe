package dev.madt.resolver.demangle;

import java.util.regex.Pattern;

/** Knows the names of code that a compiler put elsewhere, where the function jumps to it. */
public final class ColdCode {
    private static final Pattern COLD = Pattern.compile("\\.cold(\\.[0-9]+)*$");

    private ColdCode() {}

    /** Returns the function that has the code of a symbol: {@code f} has {@code f.cold}. */
    public static String whole(String symbol) {
        return symbol.contains(".cold") ? COLD.matcher(symbol).replaceFirst("") : symbol;
    }
}
