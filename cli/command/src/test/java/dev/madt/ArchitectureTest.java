package dev.madt;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The arrows between the packages, as ARCHITECTURE.md draws them: a package uses those of its line
 * and no others. Whoever needs another one adds it here and there, or finds that a class stands in
 * the wrong component. Constants are not seen: the compiler copies them.
 */
class ArchitectureTest {
    private static final String ROOT = "dev.madt.";
    private static final int MOST_CLASSES = 40;

    private static final Map<String, String> ARROWS = new TreeMap<>(Map.ofEntries(
            Map.entry("trace.layout", ""),
            Map.entry("trace.event", "trace.layout"),
            Map.entry("trace.instrument", "trace.event"),
            Map.entry("trace.buffer", "trace.event trace.layout"),
            Map.entry("trace.code", "trace.event trace.layout"),
            Map.entry("trace.codec", "trace.buffer trace.event trace.layout"),
            Map.entry("traces", "console trace.codec trace.event trace.file"),
            Map.entry("trace.file", "trace.codec trace.event trace.layout"),
            Map.entry("tracker", "trace.event trace.layout"),
            Map.entry("resolver.elf", "trace.code trace.codec trace.layout"),
            Map.entry("resolver.debug", "resolver.elf"),
            Map.entry("resolver.type", "trace.event"),
            Map.entry("resolver.guess", "resolver.type"),
            Map.entry("resolver.local", "resolver.type trace.event trace.instrument"),
            Map.entry(
                    "resolver.dwarf",
                    "resolver.debug resolver.guess resolver.local resolver.type trace.code"
                            + " trace.codec trace.event trace.instrument"),
            Map.entry("resolver.demangle", ""),
            Map.entry(
                    "resolver",
                    "resolver.debug resolver.dwarf resolver.elf trace.code trace.layout"),
            Map.entry(
                    "resolver.line",
                    "resolver.demangle resolver.type trace.event trace.instrument trace.layout"
                            + " tracker"),
            Map.entry("console", "trace.codec"),
            Map.entry(
                    "natives",
                    "resolver.demangle trace.buffer trace.codec trace.event" + " trace.layout"),
            Map.entry("session", "console natives trace.codec trace.layout"),
            Map.entry("guard", "console natives session trace.event trace.instrument trace.layout"),
            Map.entry(
                    "called",
                    "console natives session resolver.elf trace.event trace.instrument"
                            + " trace.layout"),
            Map.entry(
                    "leaves",
                    "guard natives resolver resolver.dwarf resolver.elf resolver.local"
                            + " resolver.type trace.event"
                            + " trace.instrument"),
            Map.entry(
                    "modules",
                    "called console generated guard leaves natives resolver resolver.debug"
                            + " resolver.demangle"
                            + " resolver.dwarf resolver.elf resolver.local resolver.type session"
                            + " trace.buffer"
                            + " trace.code trace.codec trace.event trace.instrument trace.layout"
                            + " tracker"),
            Map.entry(
                    "graph",
                    "modules natives resolver resolver.dwarf resolver.elf resolver.local trace.code"
                            + " trace.layout"
                            + " view.graph view.toolkit"),
            Map.entry("generated", "natives"),
            Map.entry("foreseen", "modules resolver session trace.code"),
            Map.entry("locks", "console modules resolver resolver.elf trace.event"),
            Map.entry("pipeline", "session trace.event"),
            Map.entry("limit", "modules resolver.elf trace.buffer trace.codec trace.event"),
            Map.entry(
                    "view",
                    "resolver.demangle resolver.line trace.event trace.layout" + " tracker"),
            Map.entry("view.cache", ""),
            Map.entry("view.toolkit", "console"),
            Map.entry(
                    "view.report",
                    "console resolver.line trace.codec trace.event trace.instrument tracker view"
                            + " view.defects"
                            + " view.toolkit"),
            Map.entry(
                    "view.calls",
                    "console resolver.demangle resolver.line trace.event trace.layout tracker"
                            + " view view.chains view.convert view.toolkit"),
            Map.entry(
                    "view.timeline",
                    "console resolver.demangle resolver.line trace.event trace.layout tracker"
                            + " view view.calls view.locks view.toolkit"),
            Map.entry(
                    "view.chains",
                    "console resolver.demangle trace.event trace.instrument tracker view"
                            + " view.toolkit"),
            Map.entry(
                    "view.locks",
                    "console resolver.line trace.event tracker view view.calls view.report"
                            + " view.toolkit"),
            Map.entry(
                    "view.sharing",
                    "console resolver.line trace.event tracker view view.locks"
                            + " view.report view.toolkit"),
            Map.entry("view.defects", "console trace.event tracker view view.toolkit"),
            Map.entry("view.convert", "resolver.line trace.event view view.cache view.toolkit"),
            Map.entry("view.parquet", "resolver.line trace.event view view.calls view.convert"),
            Map.entry(
                    "view.locality",
                    "console resolver.line resolver.type trace.event view view.cache view.convert"
                            + " view.report view.toolkit"),
            Map.entry(
                    "view.hottest",
                    "console resolver.demangle trace.event tracker view view.defects view.toolkit"),
            Map.entry(
                    "view.top",
                    "resolver.demangle trace.codec trace.event tracker view view.chains"
                            + " view.toolkit"),
            Map.entry("duckdb", "natives"),
            Map.entry(
                    "sql",
                    "console duckdb resolver.line trace.event tracker view view.calls view.convert"
                            + " view.toolkit"),
            Map.entry("view.graph", "console trace.code trace.event view view.toolkit"),
            Map.entry("view.heatmap", "trace.event view view.toolkit"),
            Map.entry(
                    "view.overview",
                    "console trace.event view view.defects view.heatmap view.report view.toolkit"),
            Map.entry("view.dump", "trace.codec trace.event trace.layout tracker view.toolkit"),
            Map.entry("view.text", "console natives resolver.demangle resolver.line"),
            Map.entry(
                    "collector",
                    "foreseen guard limit locks pipeline console modules natives resolver"
                            + " resolver.dwarf resolver.local"
                            + " resolver.elf"
                            + " resolver.line session trace.buffer trace.code"
                            + " trace.codec trace.event trace.file trace.instrument trace.layout"
                            + " tracker view view.chains view.report view.text view.top"),
            Map.entry(
                    "bench",
                    "collector console natives session trace.buffer trace.codec"
                            + " trace.event trace.file trace.layout tracker"),
            Map.entry(
                    "doctor",
                    "console modules natives session trace.file trace.layout" + " view.toolkit"),
            Map.entry(
                    "info",
                    "collector console resolver resolver.demangle resolver.line session"
                            + " trace.codec trace.event trace.file trace.instrument tracker view"
                            + " view.chains view.report view.text view.toolkit"),
            Map.entry(
                    "top",
                    "console natives session trace.codec trace.file view.text view.toolkit"
                            + " view.top"),
            Map.entry(
                    "options",
                    "collector console locks manual modules session trace.event trace.layout"
                            + " view view.chains view.report view.text"),
            Map.entry("manual", "console"),
            Map.entry("engine", "console"),
            Map.entry(
                    "cli",
                    "bench collector console doctor duckdb engine graph info locks manual top"
                            + " modules natives options"
                            + " resolver resolver.demangle resolver.dwarf resolver.line session sql"
                            + " trace.code trace.codec trace.event trace.file trace.instrument"
                            + " trace.layout tracker traces"
                            + " view view.cache view.calls view.chains view.convert"
                            + " view.defects view.dump view.graph view.heatmap"
                            + " view.hottest view.locality view.locks"
                            + " view.overview view.parquet view.report view.sharing view.text"
                            + " view.timeline view.toolkit"
                            + " view.top")));

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("dev/madt/testing"))
            .importPackages("dev.madt");

    @Test
    void shouldUseOnlyThePackagesOfItsLine() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass user : CLASSES) {
            Set<String> permitted = permitted(component(user));
            user.getDirectDependenciesFromSelf().stream()
                    .filter(dependency ->
                            dependency.getTargetClass().getPackageName().startsWith(ROOT))
                    .filter(dependency ->
                            !permitted.contains(component(dependency.getTargetClass())))
                    .forEach(dependency -> wrong.add(dependency.getDescription()));
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldHaveNoCircles() {
        SlicesRuleDefinition.slices()
                .matching("dev.madt.(**)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void shouldCallNativeCodeFromOnePackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.madt.natives")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.kenai..", "jnr..")
                .check(CLASSES);
    }

    @Test
    void shouldHaveComponentsThatCanBeSurveyed() {
        Map<String, Long> classes = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(
                        ArchitectureTest::component, TreeMap::new, Collectors.counting()));
        assertEquals(ARROWS.keySet(), classes.keySet());
        classes.forEach((component, count) ->
                assertTrue(count <= MOST_CLASSES, component + " has " + count + " classes"));
    }

    private static String component(JavaClass of) {
        return of.getPackageName().substring(ROOT.length());
    }

    private static Set<String> permitted(String component) {
        Set<String> permitted = words(ARROWS.getOrDefault(component, ""));
        permitted.add(component);
        return permitted;
    }

    private static Set<String> words(String list) {
        return Arrays.stream(list.split(" "))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
