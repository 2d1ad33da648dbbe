package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import dev.madt.resolver.demangle.Demangler;
import java.nio.charset.StandardCharsets;

/**
 * The demangler of the C++ runtime (Itanium C++ ABI, {@code __cxa_demangle}), about 2 µs a name.
 */
public final class CxxDemangler implements Demangler {
    private final NativeFunction demangle =
            new NativeLibrary("libstdc++.so.6").function("__cxa_demangle");

    private CxxDemangler() {}

    /** C++ names by libstdc++ where it is installed, Rust names always. */
    public static Demangler create() {
        Demangler others;
        try {
            others = new CxxDemangler();
        } catch (LinkageError e) {
            others = Demangler.NONE; // a machine without C++ programs
        }
        return Demangler.withOthers(others);
    }

    /** Returns whether names of C++ can be read here. */
    public static boolean works() {
        return create().demangle("_ZN4madt5namesEv").equals("madt::names()");
    }

    @Override
    public String demangle(String name) {
        try (NativeMemory mangled = NativeMemory.of(name.getBytes(StandardCharsets.UTF_8))) {
            long text = demangle.call(mangled.address(), 0, 0, 0);
            if (text == 0) {
                return name;
            }
            try {
                return NativeMemory.text(text);
            } finally {
                MemoryIO.getInstance().freeMemory(text); // of malloc, as the ABI says
            }
        }
    }
}
