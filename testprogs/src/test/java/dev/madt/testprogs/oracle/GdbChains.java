package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of the allocator in a run under gdb, each with what {@code bt} says of it. Where
 * realloc goes on to malloc, and operator new to both, that is one call, as it is for MadT; frames
 * that gdb makes up of inlined functions and of jumps at the end of functions are none here.
 */
final class GdbChains {
    /** Says where code is, by what does not change from run to run. */
    static final String PLACES =
            """
            import gdb, os, subprocess

            MADE_UP = gdb.INLINE_FRAME, gdb.TAILCALL_FRAME, gdb.SIGTRAMP_FRAME
            maps, code = [], []


            def read_maps():
                maps.clear()
                code.clear()
                for line in open('/proc/%d/maps' % gdb.selected_inferior().pid):
                    parts = line.split(None, 5)
                    start, end = (int(word, 16) for word in parts[0].split('-'))
                    if 'x' in parts[1]:
                        code.append(range(start, end))
                    if len(parts) > 5 and int(parts[2], 16) == 0:
                        maps.append((start, parts[5].strip()))


            def place(pc):
                name = gdb.solib_name(pc) or gdb.current_progspace().filename
                name = os.path.realpath(name)
                for again in 0, 1:
                    if again or not maps:
                        read_maps()
                    low = [start for start, path in maps if path == name and start <= pc]
                    if low and any(pc in part for part in code):
                        return '%s+%x' % (os.path.basename(name), pc - max(low))
                return '?'


            def prepare():
                for line in ('pagination off', 'backtrace past-main on', 'backtrace past-entry on',
                             'breakpoint pending on', 'confirm off',
                             'exec-wrapper @ENVIRONMENT@'):
                    gdb.execute('set ' + line)
                gdb.execute('handle all nostop noprint pass')
                gdb.execute('handle SIGTRAP SIGINT nopass stop')
                gdb.execute('catch load libc', to_string=True)
                gdb.execute('run', to_string=True)
                gdb.execute('delete', to_string=True)
                read_maps()
            """;

    private static final String SCRIPT = PLACES
            + """

            KINDS = {'malloc': 'M', 'calloc': 'C', 'realloc': 'R', 'free': 'F',
                     'mmap': 'P', 'mremap': 'E', 'munmap': 'U',
                     'posix_memalign': 'M', 'aligned_alloc': 'M', 'memalign': 'M'}
            out = open('chains', 'w')
            left = [@MOST@]


            def frames():
                told = []
                frame = gdb.newest_frame().older()
                while frame is not None and frame.is_valid() and len(told) < @CHAIN@:
                    if frame.type() not in MADE_UP:
                        newer = frame.newer()
                        at = place(frame.pc())
                        name = frame.name() or ''
                        operator = name.startswith(('operator new', 'operator delete'))
                        if at == '?':
                            told.append(at)
                            break
                        if told or not operator or not at.startswith('libstdc++'):
                            signal = newer is not None and newer.type() == gdb.SIGTRAMP_FRAME
                            told.append(('!' if signal else '') + at)
                        if name.startswith(('runtime.asmcgocall', 'runtime.systemstack')):
                            told.append('?')
                            break
                    frame = frame.older()
                return told


            class Call(gdb.Breakpoint):
                def stop(self):
                    frame = gdb.newest_frame()
                    if self.kind == 'F' and int(frame.read_register('rdi')) == 0:
                        return False
                    told = frames()
                    thread = gdb.selected_thread().num
                    out.write('%s %d %s\\n' % (self.kind, thread, ' '.join(told)))
                    left[0] -= 1
                    return left[0] == 0


            prepare()
            libc = next(path for _, path in maps if os.path.basename(path).startswith('libc.so'))
            low = min(start for start, path in maps if path == libc)
            symbols = subprocess.run(['readelf', '-sW', '--dyn-syms', libc],
                                     capture_output=True, text=True, check=True).stdout
            for line in symbols.split('\\n'):
                words = line.split()
                if len(words) > 7 and words[3] == 'FUNC':
                    kind = KINDS.pop(words[7].split('@')[0], None)
                    if kind:
                        call = Call('*%#x' % (low + int(words[1], 16)), internal=True)
                        call.kind = kind
            gdb.execute('continue', to_string=True)
            out.close()
            """;

    /** Executes a program so that it allocates the same each time. */
    static final List<String> ENVIRONMENT =
            List.of("env", "-i", "PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0", "PYTHONHASHSEED=0");

    /**
     * A frame.
     *
     * @param place where it goes on: a return address, or what a handler interrupted
     */
    record Frame(ModulePlace place, boolean interrupted) {}

    /**
     * A call.
     *
     * @param kind M, C, R, F, P, E or U
     * @param whole false where gdb loses its way: without an unwind table, it guesses, and it does
     *     not know that Go changes stacks
     */
    record Call(char kind, List<Frame> frames, boolean whole) {}

    private GdbChains() {}

    /**
     * The calls of the program's first thread.
     *
     * @param most how many calls of all threads
     * @param chain frames of each, at most
     */
    static List<Call> of(Path directory, List<String> command, int most, int chain)
            throws IOException, InterruptedException {
        Files.writeString(
                directory.resolve("chains.py"),
                SCRIPT.replace("@MOST@", Integer.toString(most))
                        .replace("@CHAIN@", Integer.toString(chain))
                        .replace("@ENVIRONMENT@", String.join(" ", ENVIRONMENT)));
        List<String> gdb =
                new ArrayList<>(List.of("gdb", "-q", "-nx", "-batch", "-x", "chains.py", "--args"));
        gdb.addAll(command);
        MadtRun run = MadtRun.command(directory, gdb).expect(0);
        List<Call> calls = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("chains"))) {
            add(calls, line.split(" "));
        }
        if (calls.isEmpty()) {
            throw new AssertionError("no calls under gdb: " + run.text() + run.errors());
        }
        return calls;
    }

    private static void add(List<Call> calls, String[] words) {
        List<Frame> frames = new ArrayList<>();
        boolean whole = !words[words.length - 1].equals("?");
        for (int i = 2; i < (whole ? words.length : words.length - 1); i++) {
            frames.add(frame(words[i]));
        }
        boolean loads = frames.isEmpty() || isLoader(frames.get(0));
        boolean ofLibc = "PEU".contains(words[0])
                && !loads
                && isLibc(frames.get(0))
                && !frames.get(0).interrupted(); // else a handler has jumped there
        boolean goesOn = words[0].equals("M")
                && !calls.isEmpty()
                && calls.get(calls.size() - 1).equals(new Call('R', frames, whole));
        if (words[1].equals("1") && !loads && !ofLibc && !goesOn) {
            calls.add(new Call(words[0].charAt(0), frames, whole));
        }
    }

    static Frame frame(String word) {
        boolean interrupted = word.startsWith("!");
        int plus = word.lastIndexOf('+');
        return new Frame(
                new ModulePlace(
                        ModulePlace.moduleName(word.substring(interrupted ? 1 : 0, plus)),
                        Long.parseLong(word.substring(plus + 1), 16)),
                interrupted);
    }

    /** Returns whether it is the C library's, whose own mappings are none of the program's. */
    private static boolean isLibc(Frame frame) {
        return frame.place().module().startsWith("libc.");
    }

    /** Returns whether it is the loader's, which has an allocator of its own for a while. */
    static boolean isLoader(Frame frame) {
        return frame.place().module().startsWith("ld-linux");
    }
}
