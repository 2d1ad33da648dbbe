package dev.madt.natives;

import dev.madt.resolver.demangle.Demangler;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/**
 * The demangler of the C++ runtime (Itanium C++ ABI, {@code __cxa_demangle}), about 2 µs a name.
 */
public final class CxxDemangler implements Demangler {
    /** Declares what is used of libstdc++. */
    public interface Runtime {
        Pointer __cxa_demangle(String mangled, Pointer buffer, Pointer length, Pointer status);
    }

    /** Declares what is used of libc. */
    public interface Heap {
        void free(Pointer memory);
    }

    private final Runtime runtime;
    private final Heap heap;
    private final Pointer status =
            Memory.allocateDirect(jnr.ffi.Runtime.getSystemRuntime(), Integer.BYTES);

    private CxxDemangler() {
        runtime = LibraryLoader.create(Runtime.class).failImmediately().load("libstdc++.so.6");
        heap = LibraryLoader.create(Heap.class).failImmediately().load("c");
    }

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
        Pointer text = runtime.__cxa_demangle(name, null, null, status);
        if (text == null) {
            return name;
        }
        try {
            return text.getString(0);
        } finally {
            heap.free(text);
        }
    }
}
