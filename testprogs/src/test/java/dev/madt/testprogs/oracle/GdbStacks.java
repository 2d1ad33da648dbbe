package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what {@code bt} of gdb says at places of a program, each time that control comes there. */
final class GdbStacks {
    private static final String SCRIPT = GdbChains.PLACES
            + """

            out = open('stacks', 'w')


            def frames():
                told = []
                frame = gdb.newest_frame()
                while frame is not None and frame.is_valid() and len(told) < @CALLS@:
                    if frame.type() not in MADE_UP:
                        newer = frame.newer()
                        at = place(frame.pc())
                        if at == '?':
                            break
                        signal = newer is not None and newer.type() == gdb.SIGTRAMP_FRAME
                        told.append(('!' if signal else '') + at)
                    frame = frame.older()
                return told


            class Place(gdb.Breakpoint):
                def stop(self):
                    self.hits += 1
                    thread = gdb.selected_thread().num
                    out.write('%d %d %s\\n' % (self.number_of, thread, ' '.join(frames())))
                    if self.hits == @HITS@:
                        self.enabled = False
                    return False


            def bias(module):
                path = next(path for _, path in maps if os.path.basename(path) == module)
                low = min(start for start, path_ in maps if path_ == path)
                headers = subprocess.run(['readelf', '-lW', path],
                                         capture_output=True, text=True, check=True).stdout
                load = next(line.split() for line in headers.split('\\n') if ' LOAD ' in line)
                return low - int(load[2], 16)


            prepare()
            for line in open('places'):
                number, module, address = line.split()
                one = Place('*%#x' % (bias(module) + int(address, 16)), internal=True)
                one.hits = 0
                one.number_of = int(number)
            gdb.execute('continue', to_string=True)
            out.close()
            """;

    /**
     * A place.
     *
     * @param number of it
     * @param module the file name of its module
     * @param address in the file
     */
    record Place(int number, String module, long address) {}

    /** @param frames that of the place first */
    record Hit(int thread, List<GdbChains.Frame> frames) {}

    private GdbStacks() {}

    /**
     * The first hits of each place, by its number.
     *
     * @param hits of a place, at most
     * @param calls frames of each, at most
     */
    static Map<Integer, List<Hit>> of(
            Path directory, List<String> command, List<Place> places, int hits, int calls)
            throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (Place place : places) {
            lines.add(place.number() + " " + place.module() + " "
                    + Long.toHexString(place.address()));
        }
        Files.write(directory.resolve("places"), lines);
        Files.writeString(
                directory.resolve("stacks.py"),
                SCRIPT.replace("@HITS@", Integer.toString(hits))
                        .replace("@CALLS@", Integer.toString(calls))
                        .replace("@ENVIRONMENT@", String.join(" ", GdbChains.ENVIRONMENT)));
        List<String> gdb =
                new ArrayList<>(List.of("gdb", "-q", "-nx", "-batch", "-x", "stacks.py", "--args"));
        gdb.addAll(command);
        MadtRun run = MadtRun.command(directory, gdb).expect(0);
        Map<Integer, List<Hit>> stacks = new TreeMap<>();
        for (String line : Files.readAllLines(directory.resolve("stacks"))) {
            String[] words = line.split(" ");
            List<GdbChains.Frame> frames = new ArrayList<>();
            for (int i = 2; i < words.length; i++) {
                frames.add(GdbChains.frame(words[i]));
            }
            stacks.computeIfAbsent(Integer.parseInt(words[0]), absent -> new ArrayList<>())
                    .add(new Hit(Integer.parseInt(words[1]), frames));
        }
        if (stacks.isEmpty()) {
            throw new AssertionError("no hits under gdb: " + run.text() + run.errors());
        }
        return stacks;
    }
}
