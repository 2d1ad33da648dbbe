package dev.madt.foreseen;

import dev.madt.modules.ChosenPrograms;
import dev.madt.modules.MapSnapshot;
import dev.madt.modules.ModuleFiles;
import dev.madt.modules.PlanWish;
import dev.madt.session.Engine;
import dev.madt.trace.code.SplicePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * The modules that a program loads before its main, as far as they can be foreseen: itself, the
 * vDSO, the libraries it needs and those that they need, where the loader looks by default
 * (ld.so(8)). They are read and analysed before the program starts, so that it does not wait for
 * that. What is not foreseen, or foreseen in vain, costs time and nothing else.
 */
public final class ForeseenModules {
    private static final List<String> FOLDERS = List.of(
            "/lib/x86_64-linux-gnu",
            "/usr/lib/x86_64-linux-gnu",
            "/lib64",
            "/usr/lib64",
            "/lib",
            "/usr/lib");

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** MiB of module files for which plans are made at once: some six times as much memory. */
    private static final int ROOM_MIB = 32;

    private final ModuleFiles files;
    private final Engine engine;
    private final PlanWish wish;

    /** @param wish what the plans record that are made with engine splice */
    public ForeseenModules(ModuleFiles files, Engine engine, PlanWish wish) {
        this.files = files;
        this.engine = engine;
        this.wish = wish;
    }

    /**
     * A module that a process has loaded.
     *
     * @param path as the loader has it, or the program's file
     * @param bias added to the addresses in its file
     */
    public record Loaded(String path, long bias) {}

    /** Returns the modules of a process, the program first, as far as they can be seen. */
    public static List<Loaded> loaded(Path program, int pid) {
        List<Loaded> modules = new ArrayList<>();
        for (LinkMap.Entry entry : LinkMap.of(pid)) {
            String path = modules.isEmpty() ? program.toString() : entry.path();
            if (!path.isEmpty()
                    && !MapSnapshot.isLoader(path.substring(path.lastIndexOf('/') + 1))) {
                modules.add(new Loaded(path, entry.bias()));
            }
        }
        return modules;
    }

    /** Returns the names that the loader has for the modules of a process. */
    public static List<String> names(int pid) {
        return LinkMap.of(pid).stream().map(LinkMap.Entry::path).toList();
    }

    /** Prepares modules under the very names, which the process will ask for. */
    public void prepareAs(List<Path> names) {
        prepare(new ArrayDeque<>(names.stream().map(Path::toString).toList()));
    }

    /**
     * Prepares them. What cannot be read is left for when the target asks: only then is it known to
     * be needed.
     */
    public void prepare(List<Path> known) {
        Deque<String> paths = new ArrayDeque<>();
        known.forEach(path -> paths.add(ChosenPrograms.realPath(path).toString()));
        paths.add(ModuleFiles.VDSO);
        prepare(paths);
    }

    private void prepare(Deque<String> paths) {
        Set<String> seen = new HashSet<>();
        List<ModuleFiles.Analysed> unplanned = new ArrayList<>();
        while (!paths.isEmpty()) {
            String path = paths.remove();
            if (!seen.add(path)) {
                continue;
            }
            try {
                ModuleFiles.Analysed module = files.analyse(path);
                paths.addAll(needed(module));
                if (engine == Engine.SPLICE
                        && files.keptPlan(module, SplicePlan.BELOW, wish) == null) {
                    unplanned.add(module);
                }
            } catch (IOException | RuntimeException e) {
                // told when the target asks for it
            }
        }
        planAll(unplanned);
    }

    /** By as many threads as there are processors. */
    private void planAll(List<ModuleFiles.Analysed> modules) {
        if (modules.isEmpty()) {
            return;
        }
        Semaphore room = new Semaphore(ROOM_MIB, true);
        List<Callable<Object>> tasks = modules.stream()
                .map(module -> Executors.callable(() -> plan(module, room)))
                .toList();
        ExecutorService workers =
                Executors.newFixedThreadPool(Math.min(PROCESSORS, modules.size()));
        try {
            workers.invokeAll(tasks);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            workers.shutdownNow();
        }
    }

    private void plan(ModuleFiles.Analysed module, Semaphore room) {
        int size = 0;
        try {
            long mebibytes = 1 + (Files.size(module.elf().file()) >> 20);
            int wanted = (int) Math.min(mebibytes, ROOM_MIB);
            room.acquire(wanted);
            size = wanted;
            files.plan(module, SplicePlan.BELOW, wish);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            // told when the target asks for it
        } finally {
            room.release(size);
        }
    }

    private static List<String> needed(ModuleFiles.Analysed module) {
        return module.elf().needed().stream()
                .map(ForeseenModules::find)
                .filter(found -> !found.isEmpty())
                .toList();
    }

    /**
     * The path under which the loader lists a library; empty for the loader itself, which is not
     * analysed, and where it is not found.
     */
    private static String find(String name) {
        if (MapSnapshot.isLoader(name) || name.contains("/")) {
            return "";
        }
        for (String folder : FOLDERS) {
            if (Files.exists(Path.of(folder, name))) {
                return folder + "/" + name;
            }
        }
        return "";
    }
}
