package dev.madt.pipeline;

import dev.madt.session.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/** Says of the pipelines of a run which of their stages took long. */
public final class Pipelines {
    private static final int MOST_STAGES = 1000;
    private static final int MOST_PIPELINES = 3;

    private final LongUnaryOperator nanos;
    /**
     * By what they read and write: of several processes with the same pipes, as a script and what
     * it calls, the one that ran longest.
     */
    private final Map<String, Stage> stages = new LinkedHashMap<>();

    /** @param nanos makes nanoseconds of ticks */
    public Pipelines(LongUnaryOperator nanos) {
        this.nanos = nanos;
    }

    /** Adds a process that has ended, and executes no other program. */
    public void add(Stage stage) {
        if (stage.isPart() && stages.size() < MOST_STAGES) {
            stages.merge(
                    stage.input() + " " + stage.output(),
                    stage,
                    (one, other) -> one.lasted() >= other.lasted() ? one : other);
        }
    }

    /** Returns a sentence for each of the first pipelines. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Stage stage : stages.values()) {
            List<Stage> pipeline = stage.input().isEmpty() ? from(stage) : List.of();
            if (pipeline.size() > 1 && sentences.size() < MOST_PIPELINES) {
                sentences.add(sentence(pipeline));
            }
        }
        return sentences;
    }

    private List<Stage> from(Stage first) {
        List<Stage> pipeline = new ArrayList<>();
        Set<String> passed = new HashSet<>();
        Stage at = first;
        while (at != null && passed.add(at.output())) {
            pipeline.add(at);
            at = at.output().isEmpty() ? null : reader(at.output());
        }
        return pipeline;
    }

    private Stage reader(String pipe) {
        return stages.values().stream()
                .filter(stage -> stage.input().equals(pipe) && !stage.output().equals(pipe))
                .max(Comparator.comparingLong(Stage::lasted))
                .orElse(null);
    }

    private String sentence(List<Stage> pipeline) {
        Map<Stage, String> names = new LinkedHashMap<>();
        for (Stage stage : pipeline) {
            boolean alone = pipeline.stream()
                            .filter(other -> other.name().equals(stage.name()))
                            .count()
                    == 1;
            names.put(stage, stage.name() + (alone ? "" : "[" + (names.size() + 1) + "]"));
        }
        List<Stage> slowest = new ArrayList<>(pipeline);
        slowest.sort(Comparator.comparingLong(Stage::own).reversed());
        return String.join(" | ", names.values()) + ": "
                + slowest.stream()
                        .map(stage -> names.get(stage) + " " + span(stage))
                        .collect(Collectors.joining(", "))
                        .replaceFirst(",", " of its own work,")
                + "; else they waited for each other.";
    }

    private String span(Stage stage) {
        return Windows.span(nanos.applyAsLong(stage.own()));
    }
}
