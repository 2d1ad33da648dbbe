package dev.madt.view;

/**
 * Says what the code of a place is called.
 *
 * @param symbol the linker's name of the function; the module where no symbol is known
 * @param function the function as it is shown; the module where no symbol is known
 * @param name {@code function+offset} as lines print it
 * @param module what lines print for the module: {@code [libc.so.6]}
 */
record CodeName(String symbol, String function, String name, String module) {
    static final CodeName NONE = new CodeName("", "", "", "");
}
