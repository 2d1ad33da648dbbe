package dev.madt.view.convert;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Analysis;
import dev.madt.view.toolkit.TextBuffer;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The formats that a trace can be converted to. */
public enum TargetFormat {
    LACKEY,
    CALLGRIND,
    CACHEGRIND,
    DHAT,
    MASSIF,
    HEAPTRACK,
    OPROFILE,
    DINERO,
    CSV,
    JSONL;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(TargetFormat::word).toList();
    }

    /** The format with this name, or null. */
    public static TargetFormat of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /**
     * A view that writes this format; it throws {@link java.io.UncheckedIOException} when the
     * stream fails.
     */
    public Analysis writer(OutputStream out, ConversionOptions options) {
        return writers(out, options, 1).apply(new MemberTypes());
    }

    /** The formats in which several processes can be one. */
    public static List<String> joining() {
        return Arrays.stream(values())
                .filter(TargetFormat::joinsProcesses)
                .map(TargetFormat::word)
                .toList();
    }

    /** Returns whether the traces of several processes can be written as one. */
    public boolean joinsProcesses() {
        return this == CALLGRIND || this == CSV || this == JSONL;
    }

    /** Returns whether this format shows nothing of calls and allocations. */
    public boolean isOfAccesses() {
        return switch (this) {
            case LACKEY, CALLGRIND, CACHEGRIND, OPROFILE, DINERO -> true;
            case DHAT, MASSIF, HEAPTRACK, CSV, JSONL -> false;
        };
    }

    /** Returns whether this format shows blocks of heaps alone. */
    public boolean isOfBlocks() {
        return this == DHAT || this == MASSIF || this == HEAPTRACK;
    }

    /**
     * Views that write this format together, one for each trace, to be fed one after the other.
     * Each is made of what its feed will learn of types.
     *
     * @param traces how many there will be; one where the format does not join processes
     */
    public Function<MemberTypes, Analysis> writers(
            OutputStream out, ConversionOptions options, int traces) {
        TextBuffer text = new TextBuffer(out);
        boolean several = traces > 1;
        return switch (this) {
            case LACKEY -> types -> new LackeyText(text, options);
            case CALLGRIND -> {
                Analysis profile = new CallgrindProfile(text, options.byData(), traces);
                yield types -> profile;
            }
            case CACHEGRIND ->
                types -> new CachegrindProfile(text, options.caches(), options.expandBlocks());
            case DHAT -> types -> new DhatJson(text);
            case MASSIF -> types -> new MassifProfile(text);
            case HEAPTRACK -> types -> new HeaptrackText(text);
            case OPROFILE -> types -> new OprofileText(text);
            case DINERO ->
                types -> new DineroText(text, options.instructions(), options.expandBlocks());
            case CSV -> {
                text.text(CsvText.headings(several));
                yield types -> new CsvText(text, types, several);
            }
            case JSONL -> types -> new JsonLines(text, types, several);
        };
    }
}
