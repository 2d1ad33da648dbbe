package dev.madt.session;

import dev.madt.natives.Futex;
import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import java.util.concurrent.CountDownLatch;

/** The first target: a thread waits for it, so that its end is known at once. */
public final class TargetProcess {
    /** An exit status above it is that of a signal's end, as a shell gives it. */
    static final int SIGNALS_FROM = 128;

    /** Says how a process ended for MadT that goes on. */
    public static final String DETACHED = "detached";

    private static final int LOOK_MILLIS = 100;

    private final int pid;
    private final Futex doorbell;
    private final Runnable atEnd;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile int status;
    private volatile String ending;

    private TargetProcess(int pid, Futex doorbell, Runnable atEnd) {
        this.pid = pid;
        this.atEnd = atEnd;
        this.doorbell = doorbell;
    }

    /** Watches a child of this process; its end rings the doorbell. */
    public static TargetProcess watch(int pid, Futex doorbell, Runnable atEnd) {
        TargetProcess target = new TargetProcess(pid, doorbell, atEnd);
        Thread thread = new Thread(target::await, "target");
        thread.setDaemon(true);
        thread.start();
        return target;
    }

    /**
     * Follows a process that is no child of this one: until it has ended, or {@link #leave} says
     * that it is followed no more.
     */
    public static TargetProcess follow(int pid, Futex doorbell) {
        TargetProcess target = new TargetProcess(pid, doorbell, () -> {});
        Thread thread = new Thread(target::awaitOther, "target");
        thread.setDaemon(true);
        thread.start();
        return target;
    }

    private void awaitOther() {
        int descriptor = ProcessStatus.openPid(pid);
        while (!ended() && !ProcessStatus.endsWithin(descriptor, LOOK_MILLIS)) {
            continue;
        }
        if (!ended()) {
            finish(ProcessStatus.ending(pid, descriptor));
        }
        Libc.close(descriptor);
    }

    /** The process goes on, and takes part no more. */
    public void leave() {
        finish(DETACHED);
    }

    private synchronized void finish(String how) {
        if (!ended()) {
            ending = how;
            over.countDown();
            doorbell.signal();
        }
    }

    private void await() {
        try (NativeMemory word = new NativeMemory(Integer.BYTES)) {
            int got;
            do {
                got = Libc.waitpid(pid, word.address(), 0);
            } while (got < 0 && Libc.lastError() == Libc.EINTR);
            status = word.bytes().getInt(0);
        }
        ending = ProcessStatus.ending(status);
        atEnd.run();
        over.countDown();
        doorbell.signal();
    }

    public int pid() {
        return pid;
    }

    public boolean ended() {
        return over.getCount() == 0;
    }

    /** Waits for its end. */
    public void join() {
        boolean interrupted = true;
        while (interrupted) {
            try {
                over.await();
                interrupted = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /** The signal that ended it, or 0. */
    int signal() {
        return status & 0x7f;
    }

    /** Its exit status as a shell gives it: 128 + signal after a signal. */
    public int exitStatus() {
        return signal() != 0 ? SIGNALS_FROM + signal() : status >> 8 & 0xff;
    }

    /**
     * As META says it: {@code exit 0}, {@code signal SIGSEGV}, {@code detached}; null if the kernel
     * does not tell, which it does only of children.
     */
    public String ending() {
        return ending;
    }
}
