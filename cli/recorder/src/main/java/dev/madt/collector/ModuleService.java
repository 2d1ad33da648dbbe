package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Reason;
import dev.madt.foreseen.ForeseenModules;
import dev.madt.foreseen.TakenSpace;
import dev.madt.modules.ChosenFunctions;
import dev.madt.modules.Instruments;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.MapSnapshot;
import dev.madt.modules.ModuleFiles;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.PlanWish;
import dev.madt.modules.Points;
import dev.madt.modules.Scope;
import dev.madt.natives.Futex;
import dev.madt.natives.NativeMemory;
import dev.madt.session.Attachment;
import dev.madt.session.Engine;
import dev.madt.session.LentFiles;
import dev.madt.session.RunningProcess;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Answers the targets' requests for code maps and splice plans, on a thread of its own: the
 * collector must go on draining meanwhile.
 */
public final class ModuleService implements Attachment.Modules, AutoCloseable {
    private static final int ENOENT = 2;
    private static final int EIO = 5;
    /** Stands behind the names of files that are gone, as the kernel has them. */
    private static final String DELETED = " (deleted)";

    private static final int ENAMETOOLONG = 36;
    private static final int EALREADY = 114;

    private static final int PATH_BYTES = 1024;

    private final ModuleFiles files;
    private final MapSnapshot snapshot;
    /** Of the process that comes first. */
    private volatile MapSnapshot firstSnapshot;

    private final Messages messages;
    private final Engine engine;
    private final PlanWish wish;
    private final Scope scope;
    private final Points points;
    private final ChosenFunctions functions;
    private final Futex doorbell;
    private final Set<ProcessRecorder> working = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    /** By processes, counters of static tracepoints that were raised. */
    private final Map<ProcessRecorder, Set<Long>> raised =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** Null if nothing is. */
    private Future<?> foreseen;
    /** A process that runs already stands still. */
    private volatile boolean hurried;
    /** Holds what a process has loaded that runs already. */
    private volatile List<ForeseenModules.Loaded> loaded = List.of();
    /** Lends files to another user's process; set before it is stopped. */
    private volatile LentFiles lent;
    /** Names of these, of the loader and of modules that cannot be read. */
    private volatile List<String> loadedNames = List.of();

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread worker = new Thread(task, "modules");
        worker.setDaemon(true);
        return worker;
    });

    public ModuleService(
            ModuleFiles files,
            MapSnapshot snapshot,
            Points points,
            Futex doorbell,
            Recording recording,
            Messages messages) {
        this.engine = recording.engine();
        this.wish = recording.planWish();
        this.files = files;
        this.points = points;
        this.functions = recording.functions();
        this.snapshot = snapshot;
        this.firstSnapshot = snapshot;
        this.doorbell = doorbell;
        this.messages = messages;
        this.scope = recording.scope();
    }

    /**
     * Begins to read and analyse what a program will load, while other things are made ready for
     * its start.
     *
     * @param running the process that has loaded it already, or null
     */
    public void foresee(Path program, RunningProcess running) {
        ForeseenModules modules = new ForeseenModules(files, engine, wish);
        foreseen = thread.submit(() -> {
            List<Path> known = new ArrayList<>(List.of(program));
            if (running != null) {
                loadedNames = ForeseenModules.names(running.pid());
                loaded = ForeseenModules.loaded(program, running.pid());
                loaded.forEach(module -> known.add(Path.of(module.path())));
            }
            modules.prepare(known);
        });
    }

    /**
     * Prepares the answers for the modules that a process has loaded, so that it need not wait for
     * them while it stands still.
     *
     * @param lends it the files that it may not open
     */
    void prepareAnswers(ProcessRecorder recorder, LentFiles lends) throws IOException {
        TakenSpace space = TakenSpace.of(recorder.pid());
        lent = lends;
        ByteBuffer table = ByteBuffer.allocate(
                        SharedLayout.Prepared.BYTES + loaded.size() * SharedLayout.Request.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        int count = 0;
        for (ForeseenModules.Loaded module : loaded) {
            ByteBuffer request = table.slice(
                            SharedLayout.Prepared.REQUEST + count * SharedLayout.Request.BYTES,
                            SharedLayout.Request.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            request.putLong(SharedLayout.Request.LOAD_BIAS, module.bias());
            try {
                request.putInt(SharedLayout.Request.VARIANT, variant(module, space));
                request.putInt(
                        SharedLayout.Request.STATUS, prepare(recorder, module.path(), request));
            } catch (IOException | RuntimeException e) {
                messages.trace(e); // a guess: the process asks for what it has
                continue;
            }
            lend(recorder, request);
            if (request.getInt(SharedLayout.Request.POINTS) == 0) {
                count++; // else there is one place for them, for one module at a time
            }
        }
        recorder.put(
                SharedLayout.PREPARED_AT,
                table.putLong(SharedLayout.Prepared.COUNT, count).rewind());
        hurried = true;
    }

    /** Has an answer name a file that the process can open. */
    private void lend(ProcessRecorder recorder, ByteBuffer request) throws IOException {
        String name = NativeMemory.text(request, SharedLayout.Request.MAP_PATH, PATH_BYTES);
        if (request.getInt(SharedLayout.Request.STATUS) == 0) {
            answer(recorder, lent.of(Path.of(name)), name, request);
        }
    }

    /** Returns the variant of the plan whose places are free; the last one if none are. */
    private int variant(ForeseenModules.Loaded module, TakenSpace space) throws IOException {
        ModuleFiles.Analysed analysed = files.analyse(module.path());
        for (int variant = 0; variant < SplicePlan.VARIANTS; variant++) {
            TakenSpace with = space.copy();
            if (files.plan(analysed, variant, wish).plan().fits(module.bias(), with)) {
                space.takeOver(with);
                return variant;
            }
        }
        return SplicePlan.VARIANTS - 1;
    }

    /**
     * Adds an instrument while the recording goes on, and makes the plans that its processes will
     * ask for.
     *
     * @param option as {@link Instruments#option} makes it
     * @param status of a failure, with which nothing has changed
     */
    Instruments.Added add(String[] option, List<ProcessRecorder> recorders, int status)
            throws Failure, IOException {
        Instruments.Added added = files.add(option, status);
        for (ModuleFiles.Analysed module : files.read(added.files())) {
            Set<Integer> variants = new TreeSet<>();
            recorders.forEach(
                    recorder -> variants.addAll(recorder.modules().variants(module.elf())));
            for (int variant : variants) {
                files.plan(module, variant, wish);
            }
        }
        return added;
    }

    /** The first process ran before: see {@link MapSnapshot#ranBefore}. */
    public void ranBefore() {
        firstSnapshot = snapshot.ranBefore();
    }

    @Override
    public List<String> prepared() {
        return loadedNames;
    }

    @Override
    public void prepareMore(List<Path> modules) {
        ForeseenModules more = new ForeseenModules(files, engine, wish);
        try {
            thread.submit(() -> more.prepareAs(modules)).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            messages.trace(e); // the process asks for them
        }
    }

    @Override
    public void takeTime() {
        hurried = false;
        lent.takeBack();
    }

    @Override
    public List<String> missing() {
        return Stream.concat(points.unmatched().stream(), functions.unmatched().stream())
                .map(sentence -> sentence + " It is awaited in what is loaded later.")
                .toList();
    }

    /** Waits until what {@link #foresee} began is done. */
    public void awaitForeseen() throws IOException {
        awaitForeseen(0, () -> {});
    }

    /** As above; {@code late} is run once if that takes longer than so many milliseconds. */
    public void awaitForeseen(long millis, Runnable late) throws IOException {
        if (foreseen == null) {
            return;
        }
        try {
            if (!isForeseenWithin(millis)) {
                late.run();
            }
            foreseen.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the program was read", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private boolean isForeseenWithin(long millis) throws InterruptedException, ExecutionException {
        try {
            foreseen.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** A table for the modules of another process, which has none from its parent. */
    ModuleTable newTable() {
        ModuleTable table = new ModuleTable(files, firstSnapshot);
        firstSnapshot = snapshot;
        return table;
    }

    /** Takes up the request of a process if it has one that is not being worked on. */
    void serve(ProcessRecorder recorder) {
        if (!recorder.asks()) {
            return;
        }
        if (recorder.asksToInherit()) {
            recorder.modules().noteStart(recorder.pid(), recorder::ownMappings);
            recorder.requestBytes()
                    .putInt(SharedLayout.Request.STATUS, recorder.inheritsModules() ? 0 : ENOENT);
            recorder.answered();
            return;
        }
        synchronized (working) {
            if (!working.contains(recorder) && recorder.asks()) {
                working.add(recorder);
                thread.execute(() -> answer(recorder));
            }
        }
    }

    /** Returns whether a request of this process is being worked on: its files must stay mapped. */
    boolean worksFor(ProcessRecorder recorder) {
        synchronized (working) {
            return working.contains(recorder);
        }
    }

    private void answer(ProcessRecorder recorder) {
        ByteBuffer request = recorder.requestBytes();
        String path = NativeMemory.text(request, SharedLayout.Request.PATH, PATH_BYTES);
        int status;
        try {
            recorder.modules().noteStart(recorder.pid(), recorder::ownMappings);
            status = request.getInt(SharedLayout.Request.VARIANT) == SharedLayout.REQUEST_COPY
                    ? copy(recorder)
                    : prepare(recorder, path, request);
        } catch (IOException | RuntimeException e) {
            refuse(path, e);
            status = EIO;
        }
        request.putInt(SharedLayout.Request.STATUS, status);
        synchronized (working) {
            working.remove(recorder);
            recorder.answered();
        }
        doorbell.signal();
    }

    /**
     * Puts the file of an answer where a process can read it that cannot open it. The process says
     * which, of those that answers have named alone: it may be another user's by now.
     */
    private static int copy(ProcessRecorder recorder) throws IOException {
        String name = NativeMemory.text(
                recorder.requestBytes(), SharedLayout.Request.MAP_PATH, PATH_BYTES);
        Path file = Path.of(name);
        if (!recorder.hasAnswered(name) || Files.size(file) > SharedLayout.ANSWER_BYTES) {
            return EIO;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            recorder.put(
                    SharedLayout.ANSWER_AT,
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
        return 0;
    }

    private int prepare(ProcessRecorder recorder, String path, ByteBuffer request)
            throws IOException {
        ModuleTable modules = recorder.modules();
        int variant = request.getInt(SharedLayout.Request.VARIANT);
        boolean anew = (variant & SharedLayout.REQUEST_ANEW) != 0;
        ModuleFiles.Analysed analysed = anew ? files.analyseAnew(path) : files.analyse(path);
        int generation = request.getInt(SharedLayout.Request.FIRST_TEMPLATE);
        if ((variant & SharedLayout.REQUEST_RENEW) != 0) {
            if (!files.isRenewed(analysed, generation)) {
                return EALREADY;
            }
            generation = Integer.MAX_VALUE;
        }
        variant &= ~(SharedLayout.REQUEST_ANEW | SharedLayout.REQUEST_RENEW);
        if ((variant & SharedLayout.REQUEST_HOOKS) != 0) {
            variant &= ~SharedLayout.REQUEST_HOOKS;
            return answer(
                    recorder, files.plan(analysed, variant, PlanWish.HOOKS).path(), path, request);
        }
        if (hurried && files.keptPlan(analysed, variant, wish) == null) {
            throw new IOException(
                    "another plan than the one that was made does not fit, and the process would"
                            + " stand still for too long");
        }
        int upTo = generation == (int) SharedLayout.PLANS_NEWEST ? Integer.MAX_VALUE : generation;
        ModuleFiles.Planned planned =
                engine == Engine.SPLICE ? files.plan(analysed, variant, wish, upTo) : null;
        LoadedModule module = modules.prepare(
                analysed,
                planned == null ? analysed.map() : planned.plan(),
                request.getLong(SharedLayout.Request.LOAD_BIAS));
        raise(
                recorder,
                files.semaphores(analysed),
                request.getLong(SharedLayout.Request.LOAD_BIAS));
        request.putInt(SharedLayout.Request.FIRST_TEMPLATE, module.firstTemplate());
        request.putInt(
                SharedLayout.Request.UNTRACED,
                module.covered(scope, modules.programName()) ? 0 : 1);
        Points.OfModule watched = points.of(analysed.name(), analysed.elf());
        if (watched.bytes().remaining() > SharedLayout.POINTS_BYTES) {
            throw new IOException("too many of its functions open or close windows");
        }
        if (watched.count() > 0) {
            recorder.put(SharedLayout.POINTS_AT, watched.bytes().duplicate());
        }
        request.putInt(SharedLayout.Request.POINTS, watched.count());
        boolean hooked = module.bringsAllocator() || files.hasAllocators(analysed);
        request.putInt(SharedLayout.Request.HOOKS, hooked ? 1 : 0);
        return answer(recorder, planned == null ? analysed.path() : planned.path(), path, request);
    }

    /**
     * Raises counters of the program that say whether somebody looks at its static tracepoints, as
     * {@code <sys/sdt.h>} asks for: it waits for the answer meanwhile.
     */
    private void raise(ProcessRecorder recorder, Set<Long> semaphores, long bias) {
        int pid = recorder.pid();
        Set<Long> unraised = new TreeSet<>(semaphores);
        unraised.removeIf(address ->
                !raised.computeIfAbsent(recorder, absent -> new HashSet<>()).add(bias + address));
        if (unraised.isEmpty()) {
            return;
        }
        try (FileChannel memory = FileChannel.open(
                Path.of("/proc/" + pid + "/mem"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            for (long address : unraised) {
                ByteBuffer count = ByteBuffer.allocate(Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                memory.read(count, bias + address);
                memory.write(
                        count.putShort(0, (short) (count.getShort(0) + 1)).rewind(),
                        bias + address);
            }
        } catch (IOException e) {
            messages.error("static tracepoints of process " + pid
                    + " stay off: its counters for them cannot be written: " + Reason.of(e));
        }
    }

    /** Answers with a code map or plan for the module at {@code path}. */
    private int answer(ProcessRecorder recorder, Path file, String path, ByteBuffer request)
            throws IOException {
        byte[] name = (file + "\0").getBytes(StandardCharsets.UTF_8);
        if (name.length > PATH_BYTES) {
            refuse(path, new IOException("the path of its code map or plan is too long: " + file));
            return ENAMETOOLONG;
        }
        recorder.answeredFile(file);
        request.putLong(SharedLayout.Request.MAP_LENGTH, Files.size(file));
        request.put(SharedLayout.Request.MAP_PATH, name);
        return 0;
    }

    private synchronized void refuse(String path, Exception reason) {
        if (refused.add(path)) {
            boolean gone = path.endsWith(DELETED) && reason instanceof NoSuchFileException;
            String why = gone
                    ? "its file is gone."
                    : reason instanceof IOException e ? Reason.of(e) : reason.toString();
            messages.error("the code of " + path
                    + (gone || engine == Engine.SPLICE
                            ? " is not recorded: "
                            : " is not known, so its accesses have no size: ")
                    + (why.startsWith(path + ": ") ? why.substring(path.length() + 2) : why));
        }
        messages.trace(reason);
    }

    @Override
    public void close() throws IOException {
        if (foreseen != null && !foreseen.isDone()) {
            awaitForeseen(); // its files are about to be taken away
        }
        thread.shutdownNow();
    }
}
