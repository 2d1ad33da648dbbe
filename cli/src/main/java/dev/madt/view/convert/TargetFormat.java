package dev.madt.view.convert;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.TraceView;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The formats that a trace can be converted to. */
public enum TargetFormat {
    LACKEY,
    CALLGRIND,
    CACHEGRIND,
    DHAT,
    MASSIF,
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
    public TraceView writer(OutputStream out, ConversionOptions options) {
        return writer(out, options, new MemberTypes());
    }

    /** As above; {@code types} is what the view's feed has learnt of types. */
    public TraceView writer(OutputStream out, ConversionOptions options, MemberTypes types) {
        TextBuffer text = new TextBuffer(out);
        return switch (this) {
            case LACKEY -> new LackeyText(text, options.instructions(), options.expandBlocks());
            case CALLGRIND -> new CallgrindProfile(text, options.byData());
            case CACHEGRIND ->
                new CachegrindProfile(text, options.caches(), options.expandBlocks());
            case DHAT -> new DhatJson(text);
            case MASSIF -> new MassifProfile(text);
            case OPROFILE -> new OprofileText(text);
            case DINERO -> new DineroText(text, options.instructions(), options.expandBlocks());
            case CSV -> new CsvText(text, types);
            case JSONL -> new JsonLines(text, types);
        };
    }
}
