package dev.madt.session;

import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;

/**
 * The mutex in the session page that says whether the launcher lives: held by the thread that made
 * it until it is released, and marked by the kernel when that thread ends in whatever way
 * (set_robust_list(2)). Any process that sees the page can look, in any PID namespace.
 */
final class LauncherMutex {
    private static final int PROCESS_SHARED = 1;
    private static final int ROBUST = 1;
    private static final int ATTRIBUTE_BYTES = 8;

    private LauncherMutex() {}

    /**
     * The calling thread holds it from now on; it has to be the one that calls {@link #release}.
     */
    static void hold(SharedMapping session) throws IOException {
        long mutex = session.address(SharedLayout.Session.LAUNCHER);
        try (NativeMemory attributes = new NativeMemory(ATTRIBUTE_BYTES)) {
            Libc.pthread_mutexattr_init(attributes.address());
            Libc.pthread_mutexattr_setpshared(attributes.address(), PROCESS_SHARED);
            Libc.pthread_mutexattr_setrobust(attributes.address(), ROBUST);
            int error = Libc.pthread_mutex_init(mutex, attributes.address());
            error = error != 0 ? error : Libc.pthread_mutex_lock(mutex);
            if (error != 0) {
                throw new IOException("cannot hold the session: " + Libc.errorText(error));
            }
        }
    }

    /** The session is over. */
    static void release(SharedMapping session) {
        Libc.pthread_mutex_unlock(session.address(SharedLayout.Session.LAUNCHER));
    }
}
