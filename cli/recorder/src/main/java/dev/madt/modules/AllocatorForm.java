package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.resolver.local.Signature;
import dev.madt.trace.event.Argument;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A function that allocates or frees, and by which of its arguments, which count from 0:
 *
 * <pre>
 *   my_alloc(1)=ret          allocates; argument 1 is the size
 *   my_calloc(0*1)=ret       the size is a product
 *   my_array(0*1+2)=ret      and a sum
 *   my_alloc(1 up 8)=ret     the size is rounded up to a multiple of 8
 *   node_new(=40)=ret        allocates blocks of 40 bytes
 *   my_free(0)               frees the block that argument 0 points to
 *   my_free_list(0 next 1)   and the next one, at the offset of argument 1 in it, and so on
 *   my_realloc(0,1)=ret      the block at argument 0 gets the size of argument 1
 *   pool_alloc(1)=ret in 0   allocates in the pool that is argument 0
 *   pool_destroy(0) ends     the pool ends, with all blocks in it
 *   main starts CPython      CPython begins, which has a table of its allocators
 * </pre>
 *
 * @param function the pattern of its name
 * @param code as the plan's hook has it ({@code struct madt_plan_hook})
 */
record AllocatorForm(FunctionGlob function, int code) {
    /** A blank stands for any number of them. */
    private static final Pattern FORM = Pattern.compile(
            ("(?<name>.+?) \\( (?<constant>= )?(?<first>\\d+) (\\* (?<factor>\\d+) )?"
                            + "(, (?<second>\\d+) (\\* (?<times>\\d+) )?)?"
                            + "(\\+ (?<more>\\d+) )?(up (?<up>\\d+) )?(next (?<next>\\d+) )?\\)"
                            + "( (?<gives>=) ret)?( in (?<pool>\\d+))?( (?<ends>ends))?")
                    .replace(" ", "\\s*"));

    private static final Pattern STARTS = Pattern.compile("(\\S+)\\s+starts\\s+CPython");

    private static final int NAMED = 1 << 31;
    private static final int ALLOCATES = 1;
    private static final int FREES = 2;
    private static final int REALLOCATES = 3;
    private static final int ENDS = 4;
    private static final int CPYTHON = 5;
    private static final int SIZE = 4;
    private static final int FACTOR = 8;
    private static final int OLD = 12;
    private static final int POOL = 16;
    private static final int ADDEND = 20;
    private static final int ROUND = 24;
    private static final int ROUND_MOST = 7;
    private static final int LOW = 20;
    private static final int LOW_BITS = 11;
    private static final int NONE = 15;
    private static final int CONSTANT = 14;
    private static final int LARGEST = (1 << LOW_BITS + 4) - 1;
    private static final int ARGUMENTS = 12;

    /** Holds its parts: each an argument's number, or nothing. */
    private record Arguments(int size, int factor, int old, int pool) {
        int code(int role) {
            return NAMED | role | size << SIZE | factor << FACTOR | old << OLD | pool << POOL;
        }
    }

    /**
     * Reads a form.
     *
     * @param option as the user typed it
     * @throws Failure if it is none
     */
    static AllocatorForm of(String option, String text, int status) throws Failure {
        Matcher starts = STARTS.matcher(text.strip());
        if (starts.matches()) {
            return new AllocatorForm(
                    FunctionGlob.of(option, starts.group(1)),
                    new Arguments(NONE, NONE, NONE, NONE).code(CPYTHON));
        }
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw wrong(option, text, status);
        }
        boolean gives = form.group("gives") != null;
        boolean ends = form.group("ends") != null;
        boolean two = form.group("second") != null;
        boolean pool = form.group("pool") != null;
        boolean product = form.group("factor") != null;
        boolean changed = form.group("more") != null || form.group("up") != null;
        boolean next = form.group("next") != null;
        if (!gives && (two || pool || product || changed)
                || next && (gives || ends)
                || ends && gives
                || two && product
                || form.group("constant") != null && (!gives || two || product || changed)) {
            throw wrong(option, text, status);
        }
        if (form.group("constant") != null) {
            return constant(option, form, text, status);
        }
        int first = argument(form.group("first"), text, status);
        int factor = argument(form.group("factor"), text, status);
        int in = argument(form.group("pool"), text, status);
        FunctionGlob name = FunctionGlob.of(option, form.group("name"));
        if (!gives) {
            int offset = argument(form.group("next"), text, status);
            return new AllocatorForm(
                    name, new Arguments(offset, NONE, first, NONE).code(ends ? ENDS : FREES));
        }
        int change = change(form, text, status);
        if (two) {
            int size = argument(form.group("second"), text, status);
            int times = argument(form.group("times"), text, status);
            return new AllocatorForm(
                    name, new Arguments(size, times, first, in).code(REALLOCATES) | change);
        }
        return new AllocatorForm(
                name, new Arguments(first, factor, NONE, in).code(ALLOCATES) | change);
    }

    /** Returns what is done to a size: an argument is added, or it is rounded up. */
    private static int change(Matcher form, String text, int status) throws Failure {
        int more = argument(form.group("more"), text, status);
        int change = more == NONE ? 0 : more + 1 << ADDEND;
        String up = form.group("up");
        if (up == null) {
            return change;
        }
        int unit = up.length() > 3 ? 0 : Integer.parseInt(up);
        if (Integer.bitCount(unit) != 1 || unit > 1 << ROUND_MOST) {
            throw new Failure(
                    status,
                    "--alloc '" + text + "': sizes are rounded up to multiples of 2, 4, 8 … "
                            + (1 << ROUND_MOST) + ", not of " + up + ".");
        }
        return change | Integer.numberOfTrailingZeros(unit) << ROUND;
    }

    /** Reads a form of a function that allocates blocks of one size. */
    private static AllocatorForm constant(String option, Matcher form, String text, int status)
            throws Failure {
        String digits = form.group("first");
        int size = digits.length() > 5 ? LARGEST + 1 : Integer.parseInt(digits);
        if (size == 0 || size > LARGEST) {
            throw new Failure(
                    status,
                    "--alloc '" + text + "': blocks of one size have 1 to " + LARGEST
                            + " bytes, not " + digits + ".");
        }
        int pool = argument(form.group("pool"), text, status);
        int code = new Arguments(CONSTANT, size >> LOW_BITS, NONE, pool).code(ALLOCATES)
                | (size & (1 << LOW_BITS) - 1) << LOW;
        return new AllocatorForm(FunctionGlob.of(option, form.group("name")), code);
    }

    /** Returns whether it says where CPython begins. */
    boolean startsCPython() {
        return (code & 15) == CPYTHON;
    }

    /**
     * Returns the number of an argument that it wants and that a function has not; -1 if there is
     * none, or if not all is known. Floating-point arguments have registers of their own and do not
     * count.
     *
     * @param signature null if it is not known
     */
    int missing(Signature signature) {
        if (signature == null
                || signature.more()
                || signature.result() != null && isNowhere(signature.result())
                || signature.arguments().stream().anyMatch(AllocatorForm::isNowhere)) {
            return -1;
        }
        long count = signature.arguments().stream()
                .filter(argument ->
                        argument.place() < Argument.VECTOR || argument.place() >= Argument.STACK)
                .count();
        boolean constant = (code >>> SIZE & 15) == CONSTANT;
        int added = constant ? 0 : code >>> ADDEND & 15;
        IntStream numbers = (constant
                        ? IntStream.of(OLD, POOL)
                        : IntStream.of(SIZE, FACTOR, OLD, POOL))
                .map(shift -> code >>> shift & 15);
        return IntStream.concat(numbers, IntStream.of(added == 0 ? NONE : added - 1))
                .filter(number -> number != NONE && number >= count)
                .min()
                .orElse(-1);
    }

    private static boolean isNowhere(Argument argument) {
        return argument.place() == Argument.NOWHERE;
    }

    private static int argument(String digits, String text, int status) throws Failure {
        if (digits == null) {
            return NONE;
        }
        int number = digits.length() > 2 ? ARGUMENTS : Integer.parseInt(digits);
        if (number >= ARGUMENTS) {
            throw new Failure(
                    status,
                    "--alloc '" + text + "': arguments count from 0 to " + (ARGUMENTS - 1)
                            + ", not to " + digits + ".");
        }
        return number;
    }

    private static Failure wrong(String option, String text, int status) {
        return new Failure(
                status,
                option + ": '" + text + "' says of no function what it does. Use NAME(SIZE)=ret,"
                        + " NAME(=BYTES)=ret, NAME(POINTER), NAME(POINTER next OFFSET),"
                        + " NAME(POINTER,SIZE)=ret, NAME(SIZE)=ret in POOL, or NAME(POOL) ends,"
                        + " with numbers of arguments from 0; SIZE may be SIZE*COUNT+MORE, or SIZE"
                        + " up BYTES. Or use a name of madt run --alloc list.");
    }
}
