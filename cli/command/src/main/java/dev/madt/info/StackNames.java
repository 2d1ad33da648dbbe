package dev.madt.info;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.NameShares;
import dev.madt.resolver.line.OpenFrames.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Says how the accesses to stacks are named, and why some are not. */
final class StackNames {
    private StackNames() {}

    /** Returns what {@code madt info} says; empty where no frames are known. */
    static String of(NameShares shares) {
        long all = Arrays.stream(Outcome.values()).mapToLong(shares::onStack).sum();
        if (all == 0) {
            return "";
        }
        List<String> unnamed = new ArrayList<>();
        add(unnamed, shares, Outcome.NO_DEBUG, "in functions without debug information");
        add(unnamed, shares, Outcome.NOTHING, "where no variable lies");
        add(unnamed, shares, Outcome.UNCERTAIN, "in frames that are not certain");
        return TraceInfo.share(shares.onStack(Outcome.VARIABLE), all) + " by variable, "
                + TraceInfo.share(shares.onStack(Outcome.CALL), all)
                + " by saved register or return address, of "
                + Numbers.counted(all, "access", "accesses")
                + (unnamed.isEmpty() ? "" : "; without a name: " + String.join(", ", unnamed));
    }

    private static void add(List<String> to, NameShares shares, Outcome why, String text) {
        long count = shares.onStack(why);
        if (count > 0) {
            to.add(Numbers.grouped(count) + ' ' + text);
        }
    }
}
