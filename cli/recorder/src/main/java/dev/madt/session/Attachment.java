package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Reason;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A process that ran already takes part in a recording, and leaves it again. Both happen on a
 * thread of their own, while the collector answers what the process asks.
 *
 * <pre>
 *   begin   threads stopped ──▶ libmadt.so mapped ──▶ each thread enters it ──▶ they go on
 *   end     the process leaves MadT by itself ──▶ threads stopped ──▶ everything unmapped
 * </pre>
 */
public final class Attachment {
    /** Prepares what a process that ran already has loaded. */
    public interface Modules {
        /** Returns the names that the loader has for those that are prepared. */
        List<String> prepared();

        /** Prepares others, while the process runs. */
        void prepareMore(List<Path> modules);

        /** The process does not stand still any more: what it asks for may take its time. */
        void takeTime();

        /** Returns what to say of functions that are asked for and in no module so far. */
        List<String> missing();
    }

    private static final long MOMENT_MILLIS = 1;
    /** Says how long a process may take to leave. */
    private static final int MOST_MOMENTS = 5_000;

    private static final int MOMENTS_UNTIL_AGAIN = 50;
    /** Likewise, until it is sent again what it has not seen. */
    private static final int MOMENTS_UNTIL_SENT_AGAIN = 500;

    /** Says how long a process may stay stopped by a signal, which cannot leave meanwhile. */
    private static final long MOST_STOPPED_NANOS = 5_000_000_000L;

    /** Says for how long it is stopped before that ends a recording whose time is over. */
    private static final long STOPPED_MILLIS = 500;

    private static final double MILLION = 1e6;

    private final SessionDirectory session;
    private final Injector injector;
    private final Path library;
    private final TargetProcess target;
    private final Modules modules;
    private final int failureStatus;
    private final Messages messages;
    private Failure failure;
    private Injector.Done begun;
    private volatile boolean wanted = true;
    private long lasts;

    /**
     * @param injector madt-inject
     * @param library libmadt.so
     * @param modules of the process, which have been prepared
     * @param failureStatus of what is refused
     */
    public Attachment(
            SessionDirectory session,
            Path injector,
            Path library,
            TargetProcess target,
            Modules modules,
            int failureStatus,
            Messages messages) {
        this.session = session;
        this.injector = new Injector(injector, failureStatus);
        this.library = library;
        this.target = target;
        this.modules = modules;
        this.failureStatus = failureStatus;
        this.messages = messages;
    }

    /**
     * Returns the arguments with which madt-inject becomes a program that no loader prepares, with
     * the library in it.
     */
    public static List<byte[]> executes(
            Path library, SessionDirectory session, Path program, List<byte[]> arguments) {
        List<byte[]> all = new ArrayList<>();
        for (Object word : List.of("madt-inject", "exec", library, session.path(), program)) {
            all.add(word.toString().getBytes());
        }
        all.addAll(arguments);
        return all;
    }

    /**
     * Begins; what goes wrong is in {@link #failure}, and the target counts as ended. The process
     * itself looks at the time: where a signal has stopped it, this ends the recording in its
     * place.
     *
     * @param nanos for which the recording lasts; 0: time does not end it
     */
    public void begin(long nanos) {
        lasts = nanos;
        start("attach", this::attach);
    }

    /** Has the process leave, once it has come; any thread may call it, more than once. */
    public void end() {
        start("detach", this::detach);
    }

    /** The recording is over before it has begun. */
    public synchronized void cancel() {
        wanted = false;
        fail(new Failure(
                failureStatus,
                "process " + target.pid() + " was not attached: the recording was ended before"
                        + " that. Nothing was recorded."));
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns why the process does not take part, or null, once madt-inject is back from it. */
    public synchronized Failure failure() {
        return failure;
    }

    private synchronized void attach() {
        if (!wanted) {
            return;
        }
        try {
            Files.write(session.path().resolve("modules"), modules.prepared());
            begun = injector.attach(target.pid(), library, session.path(), modules::prepareMore);
            modules.takeTime();
            messages.say("attached to process " + target.pid() + ", which stood still for "
                    + millis(begun) + ". Ctrl-C ends the recording, not the process.");
            modules.missing().forEach(messages::say);
            if (ProcessStatus.isStopped(target.pid())) {
                messages.say("process " + target.pid() + " has been stopped by a signal: it is"
                        + " recorded, and can be left, once it goes on (kill -CONT).");
            }
            if (lasts > 0) {
                start("stopped", this::endWhereStopped);
            }
            messages.detail("modules whose text was read while it stood still: " + begun.summed()
                    + ", that were not prepared: " + begun.asked());
        } catch (Failure e) {
            fail(
                    ProcessStatus.runs(target.pid())
                            ? e
                            : new Failure(
                                    failureStatus, "process " + target.pid() + " has ended."));
        } catch (IOException e) {
            fail(new Failure(1, "cannot attach: " + Reason.of(e)));
        }
    }

    private void endWhereStopped() {
        try {
            Thread.sleep(lasts / 1_000_000);
            boolean before = false;
            while (wanted && !target.ended()) {
                Thread.sleep(STOPPED_MILLIS);
                boolean stopped = ProcessStatus.isStopped(target.pid());
                if (stopped && before) {
                    detach();
                }
                before = stopped;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(Failure why) {
        failure = why;
        target.leave();
    }

    private synchronized void detach() {
        boolean first = wanted;
        wanted = false;
        if (target.ended()) {
            return;
        }
        if (begun == null) {
            if (first) { // it has not come, and will not
                cancel();
            }
            return;
        }
        String base = begun.base();
        begun = null;
        for (int serial = 0; serial < session.processes(); serial++) {
            try (SharedMapping control = session.control(serial)) {
                detach(serial, control, base);
            } catch (Failure e) {
                messages.error(e.getMessage());
            } catch (IOException e) {
                messages.error("cannot detach: " + Reason.of(e));
            }
        }
        if (ProcessStatus.runs(target.pid())) {
            target.leave();
        }
    }

    /** Children of fork have the library where their parent had it. */
    private void detach(int serial, SharedMapping control, String base)
            throws Failure, IOException {
        int pid = pid(serial, control);
        boolean forked = control.bytes().getLong(SharedLayout.Control.FORK_TICKET) != 0;
        if (control.bytes().getLong(SharedLayout.Control.MAGIC) != SharedLayout.CONTROL_MAGIC
                || control.futex(SharedLayout.Control.LEFT).get() != 0
                || !ProcessStatus.runs(pid)) {
            return; // it has ended, or left by itself
        }
        if (!left(pid, control, serial == 0 || forked ? base : null)) {
            if (ProcessStatus.isStopped(pid)) {
                messages.error("process " + pid + " is still stopped. When it goes on, it has"
                        + " libmadt.so in it, unrecorded.");
            } else if (ProcessStatus.runs(pid)) {
                messages.error("process " + pid + " does not leave: one of its threads stands where"
                        + " it cannot. It goes on with libmadt.so in it, unrecorded.");
            }
        } else if (serial == 0 || forked) {
            takeOut(pid, base, ranges(control));
        }
    }

    private void takeOut(int pid, String base, Path ranges) throws Failure, IOException {
        try {
            Injector.Done done = injector.takeOut(pid, library, base, ranges);
            messages.detail("took everything out of process " + pid + ", which stood still for "
                    + millis(done));
            Injector.Followed followed = done.followed();
            if (followed.threads() > 0) {
                messages.detail("threads of process " + pid + " that madt-inject traces until their"
                        + " waits end, so that these become no longer: " + followed.threads()
                        + ", for " + followed.seconds() + " s at most");
            }
        } catch (Failure e) {
            if (ProcessStatus.runs(pid)) {
                throw e;
            }
        }
    }

    /** Its number here, which in a container is another one than it knows itself. */
    private int pid(int serial, SharedMapping control) {
        if (serial == 0) {
            return target.pid();
        }
        Registrations.Registration registration = session.registrations().of(serial);
        return registration == null || registration.pid() == 0
                ? control.bytes().getInt(SharedLayout.Control.PID)
                : registration.pid();
    }

    private static String millis(Injector.Done done) {
        return String.format(Locale.ROOT, "%.1f ms", done.nanos() / MILLION);
    }

    /**
     * Asks it to leave, and waits until it has. It takes the request back where one of its threads
     * cannot come just then, and is asked again. Threads that wait with a limit come first, by
     * themselves: a signal would have them wait anew.
     */
    private boolean left(int pid, SharedMapping control, String base) throws IOException {
        int requests = 0;
        long stopped = 0;
        for (int i = 0; i < MOST_MOMENTS && ProcessStatus.runs(pid); i++) {
            if (control.futex(SharedLayout.Control.LEFT).get() != 0) {
                if (requests > 1) {
                    messages.detail("process " + pid + " was asked to leave " + requests
                            + " times: each time before, a thread did not come for a second");
                }
                return true;
            }
            if (i > 0 && ProcessStatus.isStopped(pid)) {
                if (stopped == 0) {
                    stopped = System.nanoTime();
                    messages.say("process " + pid + " has been stopped by a signal, and cannot be"
                            + " left before it goes on (kill -CONT " + pid + ").");
                } else if (System.nanoTime() - stopped > MOST_STOPPED_NANOS) {
                    return false;
                }
            }
            boolean asked = requests == 0
                    ? askFirst(pid, control, base)
                    : i % MOMENTS_UNTIL_AGAIN == 0
                            && askToLeave(pid, control, i % MOMENTS_UNTIL_SENT_AGAIN == 0);
            requests += asked ? 1 : 0;
            try {
                Thread.sleep(MOMENT_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    /** Returns whether it is asked: the child of a fork is not before it takes part. */
    private boolean askFirst(int pid, SharedMapping control, String base) throws IOException {
        if (base == null || ProcessStatus.isStopped(pid)) {
            return askToLeave(pid, control, false);
        }
        boolean asked = ProcessSignal.tell(
                control, SharedLayout.Control.LEAVE, SharedLayout.LEAVE_DETACHED);
        if (asked) {
            injector.leave(pid, library, base);
            askToLeave(pid, control, true); // where no thread could while it was stopped
        }
        return asked;
    }

    /**
     * Asks it where it has not been asked, or has taken the request back.
     *
     * @param again where it has been asked, it is told once more
     * @return whether it is asked anew
     */
    private static boolean askToLeave(int pid, SharedMapping control, boolean again) {
        int word = SharedLayout.Control.LEAVE;
        if (control.futex(word).get() == 0) {
            return ProcessSignal.ask(
                    pid, control, word, SharedLayout.LEAVE_DETACHED, SharedLayout.LEAVE_VALUE);
        }
        if (again) {
            ProcessSignal.askAgain(
                    pid, control, word, SharedLayout.LEAVE_DETACHED, SharedLayout.LEAVE_VALUE);
        }
        return false;
    }

    /** MadT's mappings in the target, by its marks, as the injector reads them. */
    private Path ranges(SharedMapping control) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer bytes = control.bytes();
        for (int i = 0; i < SharedLayout.OWN_RANGES; i++) {
            int at = SharedLayout.OWN_OFFSET + i * SharedLayout.Range.BYTES;
            long start = bytes.getLong(at + SharedLayout.Range.START);
            if (start != 0) {
                text.append(Long.toHexString(start))
                        .append(' ')
                        .append(Long.toHexString(bytes.getLong(at + SharedLayout.Range.END)))
                        .append('\n');
            }
        }
        Path file = session.path().resolve("ranges");
        return Files.write(file, List.of(text.toString().stripTrailing()), StandardCharsets.UTF_8);
    }
}
