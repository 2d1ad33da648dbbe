package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs that allocate in ways that are hard to unwind. */
final class ChainedPrograms {
    static final List<String> SQLITE = List.of(
            "/usr/bin/sqlite3",
            ":memory:",
            "create table t(a, b); insert into t values (1, 2), (3, 4); select * from t order by b;"
                    + " create index i on t(a); select sum(a) from t group by b;");

    private static final String C =
            """
            #define _GNU_SOURCE
            #include <pthread.h>
            #include <signal.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/mman.h>
            #include <ucontext.h>

            static ucontext_t start, context[2];
            static void *volatile kept;
            static int left = 200;

            __attribute__((noinline)) static void map(size_t n)
            {
                void *area = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

                kept = mremap(area, n, 8 * n, MREMAP_MAYMOVE);
                if (kept != MAP_FAILED)
                    munmap(kept, 8 * n);
            }

            __attribute__((noinline)) static void work(int n)
            {
                if (n) {
                    char sized[n * 8 + 1];
                    void *mine;

                    sized[0] = (char)n;
                    work(n - 1);
                    mine = sized[0] ? malloc(n) : NULL;
                    kept = mine;
                    free(mine);
                    if (n % 4 == 2)
                        map(n * 4096);
                }
            }

            static void body(int i)
            {
                while (left-- > 0) {
                    work(3 + i);
                    swapcontext(&context[i], &context[!i]);
                }
                swapcontext(&context[i], &start);
            }

            static void contexts(void)
            {
                for (int i = 0; i < 2; i++) {
                    getcontext(&context[i]);
                    context[i].uc_stack.ss_sp = malloc(65536);
                    context[i].uc_stack.ss_size = 65536;
                    makecontext(&context[i], (void (*)(void))body, 1, i);
                }
                swapcontext(&start, &context[0]);
            }

            static void handler(int number)
            {
                (void)number;
                work(2);
            }

            static void *thread(void *argument)
            {
                for (int i = 0; i < 30; i++)
                    work(i % 7);
                return argument;
            }

            static int compare(const void *a, const void *b)
            {
                work(2);
                return *(const int *)a - *(const int *)b;
            }

            int main(int argc, char **argv)
            {
                stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
                struct sigaction own = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
                int numbers[] = { 3, 1, 2 };
                pthread_t threads[2];

                left = argc > 1 ? 20 : 200;
                sigaltstack(&stack, NULL);
                sigaction(SIGUSR1, &own, NULL);
                signal(SIGUSR2, handler);
                contexts();
                for (int i = 0; i < 10; i++) {
                    raise(SIGUSR1);
                    raise(SIGUSR2);
                }
                work(40);
                qsort(numbers, 3, sizeof numbers[0], compare);
                kept = strdup(argv[0]);
                for (int i = 0; i < 2; i++)
                    pthread_create(&threads[i], NULL, thread, NULL);
                for (int i = 0; i < 2; i++)
                    pthread_join(threads[i], NULL);
                return 0;
            }
            """;

    private static final String CXX =
            """
            #include <algorithm>
            #include <functional>
            #include <map>
            #include <memory>
            #include <stdexcept>
            #include <string>
            #include <vector>

            struct Item {
                std::string name;
                std::vector<int> values;
            };

            static int fill(std::map<int, Item> &items, int n)
            {
                if (n == 0)
                    throw std::runtime_error("a text that is too long for a short string");
                Item item;
                item.name = std::string(n + 20, 'x');
                item.values.resize(n);
                items[n] = std::move(item);
                return fill(items, n - 1) + 1;
            }

            __attribute__((noinline)) static float realigned(int n)
            {
                alignas(32) volatile float numbers[64];
                for (int i = 0; i < 64; i++)
                    numbers[i] = i * n;
                auto array = std::make_unique<float[]>(n + 10);
                char *sized = (char *)__builtin_alloca(n * 16 + 1);
                sized[0] = 1;
                auto text = std::make_shared<std::string>(n + 30, 'c');
                return array[0] + sized[0] + text->size() + numbers[n % 64];
            }

            int main()
            {
                std::map<int, Item> items;
                for (int n = 1; n < 12; n++) {
                    try {
                        fill(items, n);
                    } catch (std::exception &failure) {
                        items[100 + n].name = failure.what();
                    }
                }
                float sum = 0;
                for (int i = 0; i < 30; i++)
                    sum += realigned(i);
                std::vector<std::function<int()>> calls;
                for (int i = 0; i < 20; i++) {
                    std::string text(40 + i, 'q');
                    calls.push_back([text, &items] {
                        items[1000 + text.size()].name = text + "and so on, and so on, and so on";
                        return (int)text.size();
                    });
                }
                std::sort(calls.begin(), calls.end(), [](auto &a, auto &b) { return a() < b(); });
                for (auto &call : calls)
                    sum += call();
                return sum < 0;
            }
            """;

    static final String FORTRAN =
            """
            program chained
              implicit none
              type node
                real, allocatable :: a(:)
                character(len=:), allocatable :: s
              end type
              type(node), allocatable :: n(:)
              integer :: i
              allocate(n(20))
              do i = 1, 20
                call fill(n(i), i)
              end do
              print *, sum([(size(n(i)%a), i = 1, 20)]), n(3)%s
            contains
              subroutine fill(x, k)
                type(node), intent(inout) :: x
                integer, intent(in) :: k
                allocate(x%a(k * 10))
                x%a = k
                x%s = repeat('ab', k) // 'c'
                if (k > 5) x%a = [x%a, x%a]
              end subroutine
            end program
            """;

    static final String RUST =
            """
            use std::collections::HashMap;

            #[derive(Clone)]
            struct Item {
                name: String,
                values: Vec<u32>,
            }

            fn fill(items: &mut HashMap<u32, Box<Item>>, n: u32) -> usize {
                if n == 0 {
                    return items.len();
                }
                let item = Item { name: format!("item {}", n), values: (0..n).collect() };
                items.insert(n, Box::new(item));
                fill(items, n - 1) + 1
            }

            fn main() {
                let mut items = HashMap::new();
                let mut sum = 0;
                for n in 1..30 {
                    sum += fill(&mut items, n);
                }
                let mut all: Vec<_> = items.values().cloned().collect();
                all.sort_by(|a, b| a.name.cmp(&b.name));
                println!("{} {}", sum, all[0].values.len());
            }
            """;

    /** Its functions in C allocate: the linker of C puts it together. */
    static final String GO =
            """
            package main

            /*
            #include <stdlib.h>
            #include <string.h>
            static void *volatile kept;
            __attribute__((noinline)) static int build(int n)
            {
                void *block = n ? malloc(n * 10) : strdup("the last one");
                int built = n ? build(n - 1) : 0;
                kept = block;
                free(block);
                return built + 1;
            }
            */
            import "C"

            import (
                "fmt"
                "runtime"
                "unsafe"
            )

            // The first thread runs it, to the end.
            func init() {
                runtime.LockOSThread()
            }

            func fill(n int) int {
                if n == 0 {
                    return 0
                }
                text := C.CString(fmt.Sprint("item ", n))
                defer C.free(unsafe.Pointer(text))
                return int(C.build(C.int(n))) + fill(n-1)
            }

            func main() {
                sum := 0
                for n := 1; n < 12; n++ {
                    sum += fill(n)
                }
                fmt.Println(sum)
            }
            """;

    private ChainedPrograms() {}

    /** The C program, built by this command; it allocates less with an argument. */
    static String c(Path directory, String... command) throws Exception {
        return built(directory, "chained.c", C, "-pthread", command);
    }

    static String cxx(Path directory, String... command) throws Exception {
        return built(directory, "chained.cpp", CXX, "-std=c++17", command);
    }

    /** The program in Go, of which gdb can say less than it knows itself: see ChainsIT. */
    static String go(Path directory) throws Exception {
        Files.writeString(directory.resolve("chained.go"), GO);
        MadtRun.command(
                        directory,
                        List.of("sh", "-c", "GOCACHE=$PWD/cache go build -o chained chained.go"))
                .expect(0);
        return directory.resolve("chained").toString();
    }

    static String built(
            Path directory, String name, String source, String option, String... command)
            throws Exception {
        Files.writeString(directory.resolve(name), source);
        Path program = directory.resolve("chained");
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(option, "-o", program.toString(), name));
        MadtRun.command(directory, words).expect(0);
        return program.toString();
    }
}
