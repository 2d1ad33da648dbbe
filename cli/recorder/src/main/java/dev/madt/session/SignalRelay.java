package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.natives.Libc;
import dev.madt.natives.Signals;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Signals that reach madt while a target runs. Those of the terminal's keys reach the target by
 * themselves, being in the same process group, so madt passes over them; SIGTERM and SIGHUP are for
 * madt alone and are handed on. A signal that the caller ignored stays ignored. SIGINT has a
 * handler from the begin on, which passes over it: the JVM installs none for a signal that is
 * ignored.
 *
 * <p>The handlers stand until {@link #close}, which puts back those that were there before.
 */
public final class SignalRelay implements AutoCloseable {
    private final Deque<Runnable> before = new ArrayDeque<>();
    private int target;
    private int pending;
    private Runnable successor;

    /** Installs the handlers; a signal that comes before {@link #forwardTo} is handed on then. */
    public void install(long ignored) {
        byte[] quit = Signals.ignore(Signals.QUIT);
        before.push(() -> Signals.restore(Signals.QUIT, quit));
        for (int signal : new int[] {Signals.INT, Signals.TERM, Signals.HUP}) {
            if ((ignored & Signals.bit(signal)) == 0) {
                handle(signal);
            }
        }
    }

    /**
     * Does not begin a program that a signal would end at once.
     *
     * @param program its name, for the message
     */
    public synchronized void demandNone(String program) throws Failure {
        if (pending != 0) {
            throw new Failure(
                    TargetProcess.SIGNALS_FROM + pending,
                    "stopped by " + Signals.name(pending) + " before " + program
                            + " began: it and its libraries were still read, which is done once"
                            + " for each of them.");
        }
    }

    /** The pid that signals are handed on to; 0 for none. */
    public synchronized void forwardTo(int pid) {
        target = pid;
        if (pending != 0) {
            Libc.kill(target, pending); // which came before the target, that of Ctrl-C too
            pending = 0;
        }
    }

    /** The target has ended: from now on the signals mean madt itself, that of Ctrl-C too. */
    public synchronized void handOver(Runnable action) {
        target = 0;
        successor = action;
        if (pending != 0) {
            pending = 0;
            action.run(); // which came before there was anybody for it
        }
    }

    /**
     * Nothing is left that a signal could end: what is to be finished is, and whoever was handed
     * over to is asked no more once this has returned.
     */
    public void passOver() {
        handOver(() -> {});
    }

    /** Passes over what still comes, and puts the handlers back. */
    @Override
    public void close() {
        passOver();
        while (!before.isEmpty()) {
            before.pop().run();
        }
    }

    /**
     * The JVM lets nobody but sun.misc.Signal handle a signal in Java; the compiler warns of that
     * class in a way that cannot be suppressed, hence reflection. Without the class madt dies of
     * these signals, and the target goes on untraced.
     */
    private void handle(int signal) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            InvocationHandler forward = (proxy, method, arguments) ->
                    forward(signal, method.getName(), proxy, arguments);
            Object handler = Proxy.newProxyInstance(
                    handlerType.getClassLoader(), new Class<?>[] {handlerType}, forward);
            Object instance = type.getConstructor(String.class)
                    .newInstance(Signals.name(signal).substring(3));
            Method handle = type.getMethod("handle", type, handlerType);
            Object former = handle.invoke(null, instance, handler);
            before.push(() -> putBack(handle, instance, former));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot handle " + Signals.name(signal), e);
        }
    }

    private static void putBack(Method handle, Object signal, Object former) {
        try {
            handle.invoke(null, signal, former);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot put back the handler of " + signal, e);
        }
    }

    private Object forward(int signal, String method, Object proxy, Object[] arguments) {
        switch (method) {
            case "handle" -> forward(signal);
            case "equals" -> {
                return proxy == arguments[0];
            }
            case "hashCode" -> {
                return signal;
            }
            default -> {
                return "relay of " + Signals.name(signal);
            }
        }
        return null;
    }

    private synchronized void forward(int signal) {
        if (successor != null) {
            successor.run();
        } else if (target > 0) {
            if (signal != Signals.INT) {
                Libc.kill(target, signal);
            }
            pending = 0;
        } else {
            pending = signal;
        }
    }
}
