package dev.madt.called;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.elf.LibraryImage;
import dev.madt.session.InstrumentLibrary;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.trace.layout.SharedLayout.Library;
import dev.madt.trace.layout.SharedLayout.LibraryMove;
import dev.madt.trace.layout.SharedLayout.LibraryPart;
import dev.madt.trace.layout.SharedLayout.LibraryPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The functions of the user's that a recording calls, {@code call FUNC@my.so}: their libraries, as
 * they lie in each process ({@code struct madt_library}), and the places at which they are called,
 * which become known as modules are looked at. The methods may be called by any thread.
 */
public final class CalledFunctions implements InstrumentLibrary {
    /** There is no room for another place. */
    private static final int NO_PLACE = -1;

    private static final int PAGE = SharedLayout.PAGE;
    private static final int PLACES_A_PAGE = PAGE / LibraryPlace.BYTES;

    /** A function at a place. */
    private record Called(long function, int counts, int instrument, String name) {}

    private final Map<Path, CalledLibrary> libraries = new LinkedHashMap<>();
    /** By the numbers of actions. */
    private final Map<Integer, Long> functions = new TreeMap<>();

    private final Map<Integer, Integer> ways = new HashMap<>();
    private final Map<Integer, Integer> counts = new TreeMap<>();
    private final List<Called> places = new ArrayList<>();
    private final Map<Called, Integer> numbers = new HashMap<>();
    private Area area;
    private int uncalled;
    private long broken;

    /**
     * Reads the libraries that instruments name, and refuses what cannot be called.
     *
     * @param option what is said in front of a refusal
     * @param status of a failure
     */
    public static CalledFunctions of(List<Instrument> instruments, String option, int status)
            throws Failure {
        CalledFunctions called = new CalledFunctions();
        for (Instrument instrument : instruments) {
            for (int i = 0; i < instrument.actions().size(); i++) {
                Action action = instrument.actions().get(i);
                if (action.kind() == Action.Kind.CALL) {
                    int number = Action.MOST * instrument.number() + i;
                    called.add(number, action.function(), action.library(), option, status);
                }
            }
        }
        return called;
    }

    private void add(int number, String function, String file, String option, int status)
            throws Failure {
        Path path = Path.of(file).toAbsolutePath().normalize();
        CalledLibrary library = libraries.get(path);
        if (library == null) {
            long start = libraries.values().stream()
                    .mapToLong(one -> one.image().bytes().length)
                    .sum();
            library = CalledLibrary.of(file, start, option, status);
            libraries.put(path, library);
            if (bytes().remaining() > SharedLayout.LIBRARY_MOST) {
                throw new Failure(status, option + ": there is no room for " + file + ".");
            }
        }
        functions.put(number, library.function(function, file, option, status));
        ways.put(number, library.way());
        counts.put(number, SharedLayout.LIBRARY_COUNTS * counts.size());
    }

    /** Returns whether there are none. */
    public boolean areNone() {
        return functions.isEmpty();
    }

    /** Returns how many counts they take of each thread, the first ones of all. */
    public int used() {
        return SharedLayout.LIBRARY_COUNTS * functions.size();
    }

    /**
     * Returns what an instrument calls at a place, a word each.
     *
     * @param label how people call the place
     * @param whole whether the target leaves out all hits that are not to be taken
     */
    public synchronized List<Word> words(Instrument instrument, String label, boolean whole)
            throws IOException {
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < instrument.actions().size(); i++) {
            int action = Action.MOST * instrument.number() + i;
            if (!functions.containsKey(action)) {
                continue;
            }
            int place = whole ? place(action, label) : NO_PLACE;
            if (place == NO_PLACE) {
                uncalled++;
            } else {
                words.add(new Word(AccessKind.FUNCTION, ways.get(action), 0, 0, List.of(place)));
            }
        }
        return words;
    }

    /**
     * Returns what the functions of each action have counted: numbers that are not zero.
     *
     * @param all counts of a process
     */
    public synchronized Map<Integer, Map<Integer, Long>> numbers(long[] all) {
        Map<Integer, Map<Integer, Long>> numbers = new TreeMap<>();
        counts.forEach((action, first) -> {
            Map<Integer, Long> own = new TreeMap<>();
            for (int i = 0; i < SharedLayout.LIBRARY_COUNTS && first + i < all.length; i++) {
                if (all[first + i] != 0) {
                    own.put(i, all[first + i]);
                }
            }
            numbers.put(action, own);
            broken += own.getOrDefault(Action.NUMBERS, 0L);
        });
        return numbers;
    }

    /** Returns what to say in the end, a sentence each. */
    public synchronized List<String> sentences(String option) {
        List<String> sentences = new ArrayList<>();
        if (uncalled > 0) {
            sentences.add(option + ": " + Numbers.counted(uncalled, "place calls", "places call")
                    + " no function: the program cannot tell there whether it is to, or there are"
                    + " too many.");
        }
        if (broken > 0) {
            sentences.add(option + ": " + Numbers.counted(broken, "call", "calls")
                    + " of functions ended with a fault, and the instrument was switched off.");
        }
        return sentences;
    }

    private int place(int action, String name) throws IOException {
        Called called =
                new Called(functions.get(action), counts.get(action), action / Action.MOST, name);
        Integer known = numbers.get(called);
        if (known != null) {
            return known;
        }
        if (places.size() == SharedLayout.LIBRARY_PLACES) {
            return NO_PLACE;
        }
        int number = places.size();
        places.add(called);
        numbers.put(called, number);
        if (area != null) {
            putPage(number / PLACES_A_PAGE);
        }
        return number;
    }

    @Override
    public synchronized void open(Area opened) throws IOException {
        opened.put(SharedLayout.LIBRARY_AT, bytes());
        area = opened;
        for (int page = 0; page * PLACES_A_PAGE < places.size(); page++) {
            putPage(page);
        }
    }

    private void putPage(int page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE).order(ByteOrder.LITTLE_ENDIAN);
        int from = page * PLACES_A_PAGE;
        for (Called called : places.subList(from, Math.min(places.size(), from + PLACES_A_PAGE))) {
            int at = bytes.position();
            bytes.putLong(at + LibraryPlace.FUNCTION, called.function());
            bytes.putInt(at + LibraryPlace.COUNTS, called.counts());
            bytes.putInt(at + LibraryPlace.INSTRUMENT, called.instrument());
            byte[] name = called.name().getBytes(StandardCharsets.UTF_8);
            int room = LibraryPlace.BYTES - LibraryPlace.NAME - 1;
            bytes.put(at + LibraryPlace.NAME, name, 0, Math.min(name.length, room));
            bytes.position(at + LibraryPlace.BYTES);
        }
        area.put(SharedLayout.LIBRARY_PLACES_AT + (long) PAGE * page, bytes.clear());
    }

    /** Returns what {@code struct madt_library} and all behind it are. */
    private ByteBuffer bytes() {
        int parts = 0;
        int moves = 0;
        int memory = 0;
        for (CalledLibrary library : libraries.values()) {
            parts += library.image().parts().size();
            moves += library.image().moves().size();
            memory += library.image().bytes().length;
        }
        int head =
                (Library.BYTES + LibraryPart.BYTES * parts + LibraryMove.BYTES * moves + PAGE - 1)
                        / PAGE
                        * PAGE;
        ByteBuffer bytes = ByteBuffer.allocate(head + memory).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(memory).putInt(parts).putInt(moves);
        for (CalledLibrary library : libraries.values()) {
            for (LibraryImage.Part part : library.image().parts()) {
                bytes.putLong(library.start() + part.start())
                        .putLong(library.start() + part.end())
                        .putLong(part.protection());
            }
        }
        libraries.values().forEach(library -> putMoves(library, bytes));
        bytes.position(head);
        libraries.values().forEach(library -> bytes.put(library.image().bytes()));
        return bytes.flip();
    }

    private static void putMoves(CalledLibrary library, ByteBuffer bytes) {
        for (LibraryImage.Move move : library.image().moves()) {
            int imported = CalledLibrary.imported(move);
            bytes.putLong(library.start() + move.at())
                    .putLong(imported)
                    .putLong(
                            imported == SharedLayout.IMPORT_NONE
                                    ? library.start() + move.addend()
                                    : move.addend());
        }
    }
}
