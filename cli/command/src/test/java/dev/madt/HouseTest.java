package dev.madt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The picture of the house in ARCHITECTURE.md is that of the classes and of the includes: folders,
 * and what each of their parts uses. {@code -Dmadt.house.write=true} draws it anew.
 */
class HouseTest {
    private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path DOCUMENT = HOME.resolve("ARCHITECTURE.md");
    private static final String ROOT = "dev.madt.";
    private static final String BEGIN = "<!-- the house: HouseTest draws it -->\n```\n";
    private static final String END = "```\n";
    private static final int WIDTH = 100;
    private static final Pattern INCLUDE =
            Pattern.compile("(?m)^\\s*#\\s*include\\s+\"([a-z]+)/[a-z_]+\\.h\"");

    /** Holds what the parts of each folder use: folder, part, parts as {@code folder part}. */
    private final Map<String, Map<String, Set<String>>> house = new TreeMap<>();

    private void add(String folder, String part, Stream<String> used) {
        house.computeIfAbsent(folder, absent -> new TreeMap<>())
                .computeIfAbsent(part, absent -> new TreeSet<>())
                .addAll(used.toList());
    }

    private void readClasses() {
        JavaClasses classes = ArchitectureTest.CLASSES;
        Map<String, String> folders = new TreeMap<>();
        classes.forEach(found -> folders.put(found.getPackageName(), folder(found)));
        for (JavaClass user : classes) {
            add(
                    folder(user),
                    part(user.getPackageName()),
                    user.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency.getTargetClass().getPackageName())
                            .filter(name ->
                                    name.startsWith(ROOT) && !name.equals(user.getPackageName()))
                            .map(name -> folders.get(name) + " " + part(name)));
        }
    }

    private static String part(String packageName) {
        return packageName.substring(ROOT.length());
    }

    /** Returns the folder of the module that a class was compiled in. */
    private static String folder(JavaClass of) {
        String place = of.getSource().orElseThrow().getUri().toString();
        Matcher folder = Pattern.compile(Pattern.quote(HOME.toString()) + "/(.*?)/target/")
                .matcher(place);
        if (!folder.find()) {
            throw new AssertionError("not of this build: " + place);
        }
        return folder.group(1);
    }

    private void readIncludes() throws IOException {
        for (String name : List.of("shim", "analyser")) {
            Path folder = HOME.resolve("madt-native").resolve(name);
            try (Stream<Path> files = Files.walk(folder, 2)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String part = file.getParent().getFileName().toString();
                    if (file.toString().matches(".*\\.[chS]") && isPart(name, part)) {
                        add(
                                "madt-native/" + name,
                                part,
                                INCLUDE.matcher(Files.readString(file))
                                        .results()
                                        .map(include -> include.group(1))
                                        .filter(used -> !used.equals(part))
                                        .filter(used -> Files.isDirectory(folder.resolve(used)))
                                        .filter(used -> !file.endsWith("base/state.h"))
                                        .map(used -> "madt-native/" + name + " " + used));
                    }
                }
            }
        }
    }

    private static boolean isPart(String folder, String part) {
        return !part.equals(folder) && !part.equals("test");
    }

    /** Draws folders and, in each, parts: whoever uses others stands above them. */
    private String picture() {
        StringBuilder text = new StringBuilder();
        Map<String, Set<String>> folders = new TreeMap<>();
        house.forEach((folder, parts) -> folders.put(
                folder,
                parts.values().stream()
                        .flatMap(Set::stream)
                        .map(used -> used.substring(0, used.indexOf(' ')))
                        .filter(used -> !used.equals(folder))
                        .collect(Collectors.toCollection(TreeSet::new))));
        for (String folder : fromAbove(folders)) {
            text.append(folder).append('\n');
            Map<String, Set<String>> within = new TreeMap<>();
            house.get(folder).forEach((part, used) -> within.put(part, inFolder(folder, used)));
            for (String part : fromAbove(within)) {
                line(text, folder, part, within.get(part));
            }
        }
        return text.toString();
    }

    private static Set<String> inFolder(String folder, Set<String> used) {
        return used.stream()
                .filter(name -> name.startsWith(folder + " "))
                .map(name -> name.substring(folder.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void line(StringBuilder text, String folder, String part, Set<String> within) {
        Map<String, List<String>> others = new TreeMap<>();
        house.get(folder).get(part).stream()
                .map(name -> name.split(" "))
                .filter(name -> !name[0].equals(folder))
                .forEach(name -> others.computeIfAbsent(name[0], absent -> new ArrayList<>())
                        .add(name[1]));
        List<String> words = new ArrayList<>();
        if (!within.isEmpty()) {
            words.add(String.join(" ", within));
        }
        others.forEach((name, parts) -> words.add(name + ": " + String.join(" ", parts)));
        String begin = String.format("  %-16s", part);
        if (words.isEmpty()) {
            text.append("  ").append(part).append('\n');
            return;
        }
        StringBuilder line = new StringBuilder(begin).append(" ──▶ ");
        String indent = " ".repeat(line.length());
        boolean first = true;
        for (String word : String.join("; ", words).split(" ")) {
            if (!first && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        text.append(line).append('\n');
    }

    /** Returns the names in an order in which each stands above those that it uses. */
    private static List<String> fromAbove(Map<String, Set<String>> uses) {
        List<String> order = new ArrayList<>();
        Set<String> left = new TreeSet<>(uses.keySet());
        while (!left.isEmpty()) {
            String next = left.stream()
                    .filter(name ->
                            left.stream().noneMatch(other -> uses.get(other).contains(name)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("a circle among " + left));
            left.remove(next);
            order.add(next);
        }
        return order;
    }

    /** The documents of the native side, and its headers, name files by what they are called. */
    @Test
    void shouldNameFilesThatAreThere() throws IOException {
        Set<String> files = new TreeSet<>();
        List<Path> texts = new ArrayList<>(List.of(DOCUMENT, HOME.resolve("docs/SPLICE.md")));
        for (String part : List.of("analyser", "encode", "include", "inject", "shim", "test")) {
            try (Stream<Path> all = Files.walk(HOME.resolve("madt-native").resolve(part))) {
                all.filter(Files::isRegularFile).forEach(file -> {
                    files.add("" + file.getFileName());
                    if (part.equals("shim") && ("" + file).endsWith(".h")) {
                        texts.add(file);
                    }
                });
            }
        }
        Pattern name = Pattern.compile("(?<![<\\w/])[a-z]+_[a-z_0-9]+\\.[cS]\\b");
        Set<String> wrong = new TreeSet<>();
        for (Path text : texts) {
            name.matcher(Files.readString(text))
                    .results()
                    .map(found -> found.group())
                    .filter(found -> !files.contains(found))
                    .forEach(found -> wrong.add(HOME.relativize(text) + ": " + found));
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void shouldBeDrawnAsItIs() throws IOException {
        readClasses();
        readIncludes();
        String drawn = picture();
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END, from);
        if (Boolean.getBoolean("madt.house.write")) {
            document = document.substring(0, from) + drawn + document.substring(to);
            Files.writeString(DOCUMENT, document);
            to = from + drawn.length();
        }
        assertEquals(drawn, document.substring(from, to), "-Dmadt.house.write=true draws it anew");
    }
}
