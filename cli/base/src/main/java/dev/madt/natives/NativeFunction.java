package dev.madt.natives;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.HeapInvocationBuffer;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Struct;
import com.kenai.jffi.Type;
import java.util.Arrays;

/**
 * A C function of up to six arguments, integers or addresses, called through JNR's jffi. JNR-FFI
 * itself makes classes at run time for the functions of an interface, which takes longer than all
 * else of a short run.
 *
 * <p>Each argument fills a register (System V ABI for x86-64, section 3.2.3). Of an int that a
 * function returns the upper half is undefined: it is to be cast. errno is kept for the calling
 * thread: {@link Libc#lastError()}.
 */
public final class NativeFunction {
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final CallContext[] CONTEXTS = new CallContext[7];

    static {
        for (int arguments = 0; arguments < CONTEXTS.length; arguments++) {
            Type[] types = new Type[arguments];
            Arrays.fill(types, Type.SINT64);
            CONTEXTS[arguments] =
                    CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, true);
        }
    }

    private final long address;

    NativeFunction(long address) {
        this.address = address;
    }

    public long call() {
        return INVOKER.invokeN0(CONTEXTS[0], address);
    }

    public long call(long a) {
        return INVOKER.invokeN1(CONTEXTS[1], address, a);
    }

    public long call(long a, long b) {
        return INVOKER.invokeN2(CONTEXTS[2], address, a, b);
    }

    public long call(long a, long b, long c) {
        return INVOKER.invokeN3(CONTEXTS[3], address, a, b, c);
    }

    public long call(long a, long b, long c, long d) {
        return INVOKER.invokeN4(CONTEXTS[4], address, a, b, c, d);
    }

    public long call(long a, long b, long c, long d, long e) {
        return INVOKER.invokeN5(CONTEXTS[5], address, a, b, c, d, e);
    }

    /**
     * Calls a function of one structure, which C code passes by its value.
     *
     * @param structure its address
     * @param words eightbytes that it has, more than two: of these every one is an integer
     */
    public long callWith(long structure, int words) {
        Type[] fields = new Type[words];
        Arrays.fill(fields, Type.SINT64);
        CallContext context = CallContext.getCallContext(
                Type.SINT64,
                new Type[] {Struct.newStruct(fields)},
                CallingConvention.DEFAULT,
                false);
        HeapInvocationBuffer arguments = new HeapInvocationBuffer(context);
        arguments.putStruct(structure);
        return INVOKER.invokeLong(context, address, arguments);
    }

    public long call(long a, long b, long c, long d, long e, long f) {
        return INVOKER.invokeN6(CONTEXTS[6], address, a, b, c, d, e, f);
    }
}
