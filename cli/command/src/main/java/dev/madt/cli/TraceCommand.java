package dev.madt.cli;

import dev.madt.collector.RecordedKinds;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.RunOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt trace}: {@code madt run} that records which functions are entered and left. */
final class TraceCommand implements Command {
    private final RunCommand run = new RunCommand();

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public String arguments() {
        return run.arguments();
    }

    @Override
    public String summary() {
        return "record a program's function calls: run --record calls";
    }

    @Override
    public Options options() {
        Options options = run.options();
        RunOptions.callOptions().getOptions().forEach(options::addOption);
        return options;
    }

    @Override
    public List<HelpSection> sections() {
        List<HelpSection> sections = new ArrayList<>(run.sections());
        sections.set(
                0,
                sections.get(0).and("calls", "no-calls", "args", "below", "depth", "rate-limit"));
        HelpSection all = HelpSection.of("What is recorded, when, where it goes, and how");
        for (HelpSection section : sections) {
            all = all.and(section.options().toArray(String[]::new));
        }
        return List.of(all);
    }

    @Override
    public Map<String, List<String>> words() {
        return run.words();
    }

    @Override
    public String hint(String option) {
        return run.hint(option);
    }

    @Override
    public Operands operands() {
        return run.operands();
    }

    @Override
    public List<String> examples() {
        return List.of("madt trace --record accesses,calls -o calls.madt -- ./prog input");
    }

    @Override
    public int usageStatus() {
        return run.usageStatus();
    }

    @Override
    public List<String> statuses() {
        return run.statuses();
    }

    @Override
    public boolean stopsAtArgument() {
        return run.stopsAtArgument();
    }

    @Override
    public int failureStatus() {
        return run.failureStatus();
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        return RunCommand.record(line, RecordedKinds.CALLS, messages);
    }
}
