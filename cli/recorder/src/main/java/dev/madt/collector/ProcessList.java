package dev.madt.collector;

import dev.madt.session.PidNamespaces;
import dev.madt.session.ProcessStatus;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.eclipse.collections.api.map.primitive.ObjectIntMap;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.ObjectIntHashMap;

/**
 * The processes of a run as their events tell of them: those that take part, and those that do not
 * (static programs). A process image is one entry. A child of vfork is recorded in its parent's
 * trace until it executes something, for it runs in its parent's memory.
 */
public final class ProcessList {
    /**
     * Says how a process image ended that another took the place of, as the key {@code ended} of
     * META has it.
     */
    static final String EXEC = "exec";

    static final String RUNNING = "running";

    private static final String LOADS_NOTHING =
            "it loads no libraries, or is no 64-bit program of this C library";

    /** Says how an image ended that is not recorded, where its parent is not either. */
    static final String PASSED = "passed by";

    /** Says what a FORK says of a child that shares the memory of its parent. */
    private static final int VFORK = 1;

    private static final String UNKNOWN = "unknown";

    private static final class Image {
        private final int pid;
        private int parent;
        private String program;
        private String ended = RUNNING;
        private String trace = "";
        /** The trace of the process that it was made by with vfork, if it began so; else empty. */
        private String lender = "";
        /** Why it is not recorded, as far as that is known. */
        private String reason = "";
        /**
         * It was made by a process that takes part, and has not ended, nor executed what cannot be
         * traced.
         */
        private boolean expected;

        private Image(int pid, int parent, String program) {
            this.pid = pid;
            this.parent = parent;
            this.program = program;
        }

        private ProcessImage entry() {
            return new ProcessImage(pid, parent, program, ended, trace.isEmpty() ? lender : trace);
        }
    }

    private final List<Image> images = new ArrayList<>();
    private final IntObjectHashMap<Image> current = new IntObjectHashMap<>();
    /** Programs and endings, of which there are few different ones. */
    private final Map<String, String> texts = new HashMap<>();

    private final ObjectIntHashMap<String> passed = new ObjectIntHashMap<>();
    private final ObjectIntHashMap<String> untraced = new ObjectIntHashMap<>();
    private final PidNamespaces namespaces = new PidNamespaces();
    private BooleanSupplier isThere = () -> true;

    /** Asks this whether the files of the session are where new programs look for them. */
    public void askForFiles(BooleanSupplier there) {
        isThere = there;
    }

    /** Returns which processes the targets' numbers mean. */
    PidNamespaces namespaces() {
        return namespaces;
    }

    /** A process image takes part. */
    void takesPart(int pid, int parent, String program, String trace) {
        Image image = current.get(pid);
        if (image == null || !image.trace.isEmpty()) {
            image = add(pid, parent, program);
        }
        image.parent = parent;
        image.program = shared(program);
        image.trace = trace;
        image.expected = false;
    }

    /** A process image is not recorded, by {@code --only-program}. */
    void passes(int pid, int parent, String program) {
        Image image = current.get(pid);
        if (image == null || !image.expected) {
            image = add(pid, parent, program);
        }
        image.program = shared(program);
        image.ended = PASSED;
        image.expected = false;
        passed.addToValue(image.program, 1);
    }

    /** Images that are not recorded, by their files. */
    public ObjectIntMap<String> passed() {
        return passed;
    }

    /** Programs that were executed and load nothing of MadT's, as their callers named them. */
    public ObjectIntMap<String> untraced() {
        return untraced;
    }

    /** Children that should take part and do not yet. */
    List<Integer> expected() {
        List<Integer> pids = new ArrayList<>();
        for (Image image : current.values()) { // each start asks; a bag's lambdas would be made
            if (image.expected) {
                pids.add(image.pid);
            }
        }
        return pids;
    }

    private Image add(int pid, int parent, String program) {
        Image before = current.get(pid);
        if (before != null && (before.ended.equals(RUNNING) || before.ended.equals(PASSED))) {
            before.ended = EXEC;
        }
        Image image = new Image(pid, parent, shared(program));
        images.add(image);
        current.put(pid, image);
        return image;
    }

    /** A child of vfork. */
    private Image addBorrower(int pid, int parent, String program) {
        Image image = add(pid, parent, program);
        image.lender = current.containsKey(parent) ? current.get(parent).entry().trace() : "";
        return image;
    }

    /** It ends in the memory of its parent: if it executed something, that failed. */
    private void lend(int pid, int parent, String program) {
        Image image = current.get(pid);
        if (image == null) {
            addBorrower(pid, parent, program);
        } else if (image.trace.isEmpty() && image.ended.equals(RUNNING)) {
            image.lender =
                    current.containsKey(parent) ? current.get(parent).entry().trace() : "";
            image.program = shared(program);
        }
    }

    /**
     * Takes note of an event of process {@code pid}, as it executed a program: by the time of the
     * event's coming it may execute another one.
     */
    void note(int pid, String program, TraceEvent event) {
        long told = event instanceof TraceEvent.Fork it
                ? it.child()
                : event instanceof TraceEvent.Exec it
                        ? it.process()
                        : event instanceof TraceEvent.Exit it
                                ? it.process()
                                : event instanceof TraceEvent.Waited it ? it.child() : 0;
        if (told != 0) {
            note(pid, program, namespaces.seenHere(pid, (int) told), event);
        }
    }

    /**
     * @param subject the process that the event tells of; 0 if there is none, or nobody can say any
     *     more which
     */
    private void note(int pid, String program, int subject, TraceEvent event) {
        if (subject == 0) {
            return;
        }
        if (event instanceof TraceEvent.Fork fork) {
            if (!current.containsKey(subject)) {
                Image child = fork.shares() == VFORK
                        ? addBorrower(subject, pid, program)
                        : add(subject, pid, program);
                child.expected = true;
            }
        } else if (event instanceof TraceEvent.Exec exec) {
            execute(pid, program, subject, exec);
        } else if (event instanceof TraceEvent.Exit exit) {
            if (pid != subject) {
                lend(subject, pid, program);
            }
            end(subject, "exit " + exit.status());
        } else if (event instanceof TraceEvent.Waited waited) {
            end(subject, ProcessStatus.ending((int) waited.status()));
        }
    }

    private void execute(int pid, String program, int subject, TraceEvent.Exec event) {
        if (!current.containsKey(subject)) {
            addBorrower(subject, pid, program); // whose parent waits until now
        }
        Image image = current.get(subject);
        image.lender = "";
        if (event.reason() != SharedLayout.EXEC_TRACED) {
            add(subject, image.parent, event.file()).reason = reason((int) event.reason());
            if (event.reason() == SharedLayout.EXEC_UNTRACED) {
                untraced.addToValue(shared(event.file()), 1);
            }
        } else if (image.trace.isEmpty()) {
            image.program = shared(event.file());
        }
    }

    private String reason(int why) {
        return switch (why) {
            case SharedLayout.EXEC_UNTRACED -> LOADS_NOTHING;
            case SharedLayout.EXEC_SECURE ->
                "it has rights that the program which executed it has not, so that it loads nothing"
                        + " of MadT's";
            case SharedLayout.EXEC_APART ->
                isThere.getAsBoolean()
                        ? "its user, root or namespace cannot reach MadT's files"
                        : "MadT's files in shared memory were removed";
            default -> "there was no memory for its environment";
        };
    }

    /**
     * Images that are not recorded, for which there is a reason, by that and their files; without
     * those of {@link #untraced}.
     */
    public Map<String, ObjectIntHashMap<String>> unrecorded() {
        Map<String, ObjectIntHashMap<String>> reasons = new TreeMap<>();
        for (Image image : images) {
            if (!image.reason.isEmpty() && !image.reason.equals(LOADS_NOTHING)) {
                reasons.computeIfAbsent(image.reason, reason -> new ObjectIntHashMap<>())
                        .addToValue(image.program, 1);
            }
        }
        return reasons;
    }

    /**
     * The same for a trace: a line {@code IMAGE,REASON} for each, with its number in the list of
     * images, from 0 on; empty if there is none.
     */
    String reasons() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < images.size(); i++) {
            if (!images.get(i).reason.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n")
                        .append(i)
                        .append(',')
                        .append(images.get(i).reason);
            }
        }
        return text.toString();
    }

    private String shared(String text) {
        return texts.computeIfAbsent(text, same -> same);
    }

    /** The last image of a process ended; a better reason than {@code unknown} is kept. */
    void end(int pid, String how) {
        Image image = current.get(pid);
        if (image != null
                && (image.ended.equals(RUNNING)
                        || image.ended.equals(UNKNOWN)
                        || image.ended.equals(PASSED))) {
            image.ended = shared(how);
            image.expected = false;
        }
    }

    /** Returns how the last image of a process ended, {@code running} if that is not known. */
    String ending(int pid) {
        Image image = current.get(pid);
        return image == null ? RUNNING : image.ended;
    }

    /** All of them in the order in which they became known; their traces by their names. */
    List<ProcessImage> entries() {
        return images.stream().map(Image::entry).toList();
    }
}
