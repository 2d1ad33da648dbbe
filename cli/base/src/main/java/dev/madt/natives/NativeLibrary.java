package dev.madt.natives;

import com.kenai.jffi.Library;

/** A shared library in this process, never unloaded. */
public final class NativeLibrary {
    private final String name;
    private final Library library;

    /**
     * Loads a library with all that it needs (dlopen(3), RTLD_NOW).
     *
     * @throws UnsatisfiedLinkError with the loader's reason
     */
    public NativeLibrary(String name) {
        this.name = name;
        this.library = Library.openLibrary(name, Library.NOW | Library.LOCAL);
        if (library == null) {
            throw new UnsatisfiedLinkError(Library.getLastError());
        }
    }

    /**
     * One of its functions.
     *
     * @throws UnsatisfiedLinkError if there is none of that name
     */
    public NativeFunction function(String symbol) {
        long address = library.getSymbolAddress(symbol);
        if (address == 0) {
            throw new UnsatisfiedLinkError(name + " has no function " + symbol);
        }
        return new NativeFunction(address);
    }
}
