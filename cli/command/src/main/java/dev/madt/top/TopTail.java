package dev.madt.top;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import dev.madt.session.ControlBox;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.top.TopProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what a recording of somebody else's has recorded, and goes on recording, from its trace
 * files while they grow. The recording itself only writes what it has, when it is asked where its
 * traces are.
 */
public final class TopTail {
    private static final int PARTS = 3;
    private static final long QUIET_NANOS = 2_000_000_000;

    /** A process whose trace is read. */
    private final class Follower extends Thread {
        private final GrowingFile file;
        private final Path path;

        private Follower(int pid, Path path) throws IOException {
            super("trace of " + pid);
            this.path = path;
            this.file = new GrowingFile(path, () -> isOver(pid));
            setDaemon(true);
        }

        /** The last of what a process did is written a moment after it has ended. */
        private boolean isOver(int pid) {
            return !recorded.contains(pid)
                    && (!Files.isDirectory(session) || file.isQuiet(QUIET_NANOS));
        }

        @Override
        public void run() {
            TopProcesses.Counted counting = all.begin(LineDetailOptions.growing());
            try (TraceReader reader = new TraceReader(file, path.toString())) {
                reader.read(new FrameSink() {
                    @Override
                    public void frame(Frame frame) throws IOException {
                        counting.frame(frame, false);
                    }

                    @Override
                    public void close() {
                        // the reader does not close it
                    }
                });
            } catch (IOException e) {
                messages.error(Reason.of(e));
            } finally {
                counting.end();
            }
        }
    }

    private final Path session;
    private final ControlBox box;
    private final int only;
    private final TopProcesses all;
    private final Messages messages;
    private final Map<Path, Follower> followers = new HashMap<>();
    /** The processes that are recorded at the moment. */
    private final Set<Integer> recorded = ConcurrentHashMap.newKeySet();

    /**
     * Follows nothing so far.
     *
     * @param session the directory of the recording
     * @param only the process, 0: all of the recording
     */
    public TopTail(Path session, int only, TopProcesses all, Messages messages) {
        this.session = session;
        this.box = new ControlBox(session);
        this.only = only;
        this.all = all;
        this.messages = messages;
    }

    /**
     * Asks the recording for what there is.
     *
     * @return whether it goes on
     * @throws Failure if it keeps nothing that could be read
     */
    public boolean look() throws Failure, IOException, InterruptedException {
        ControlBox.Answer answer = box.ask("traces");
        if (answer == null) {
            recorded.clear();
            return false;
        }
        if (!answer.done()) {
            throw new Failure(Status.FAILED, answer.text());
        }
        List<Integer> now = new ArrayList<>();
        for (String line : answer.text().lines().toList()) {
            String[] parts = line.split("\t", PARTS);
            int pid = Integer.parseInt(parts[0]);
            if (only == 0 || only == pid) {
                now.add(pid);
                recorded.add(pid);
                follow(pid, Path.of(parts[1]));
            }
        }
        recorded.retainAll(now);
        return only == 0 || !now.isEmpty();
    }

    private void follow(int pid, Path trace) throws IOException {
        if (!followers.containsKey(trace)) {
            Follower follower = new Follower(pid, trace);
            followers.put(trace, follower);
            follower.start();
        }
    }

    /** Waits until all that was recorded has been counted. */
    public void join() throws InterruptedException {
        recorded.clear();
        for (Follower follower : followers.values()) {
            follower.join();
        }
    }

    /** Returns how many bytes of traces have not been counted. */
    public long left() throws IOException {
        long left = 0;
        for (Follower follower : followers.values()) {
            left += follower.file.left();
        }
        return left;
    }
}
