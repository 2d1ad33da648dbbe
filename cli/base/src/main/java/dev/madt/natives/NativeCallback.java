package dev.madt.natives;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Closure;
import com.kenai.jffi.ClosureManager;
import com.kenai.jffi.Type;

/**
 * A C function of one or two addresses without a result whose body is Java. Whoever calls it must
 * be a thread of this JVM: other ones are attached and detached at each call, which costs tens of
 * microseconds.
 */
public final class NativeCallback {
    /** Takes the calls of the function; it must not throw. */
    public interface Body {
        /** @param second 0 where the function has one argument */
        void call(long first, long second);
    }

    private static final CallContext[] CONTEXTS = {
        null, context(Type.POINTER), context(Type.POINTER, Type.POINTER)
    };

    private final Closure.Handle handle;

    /** @param arguments of the function, 1 or 2 */
    public NativeCallback(int arguments, Body body) {
        Closure closure = arguments == 1
                ? call -> body.call(call.getAddress(0), 0)
                : call -> body.call(call.getAddress(0), call.getAddress(1));
        handle = ClosureManager.getInstance().newClosure(closure, CONTEXTS[arguments]);
        handle.setAutoRelease(false); // C code keeps the address
    }

    private static CallContext context(Type... arguments) {
        return CallContext.getCallContext(Type.VOID, arguments, CallingConvention.DEFAULT, false);
    }

    /** Address of the function, valid for as long as this process lives. */
    public long address() {
        return handle.getAddress();
    }
}
