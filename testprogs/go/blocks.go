// blocks ROUNDS PROCESSORS: eight goroutines allocate, each time far down a stack of its own that grows, while
// the collector runs. In the end it writes which function got which block: name, type, address, size.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"unsafe"
)

type tiny struct{ a, b int8 }
type node struct {
	next  *node
	value [3]int64
}
type wide struct {
	words [5000]int64
	link  *wide
}
type pair[T any] struct{ first, second T }

type said struct {
	what    string
	address uintptr
	size    uintptr
}

type worker struct {
	log   []said
	nodes *node
	sink  any
}

func (w *worker) say(what string, p unsafe.Pointer, t reflect.Type, n int) {
	name := t.String()
	if n > 1 {
		name = "[" + strconv.Itoa(n) + "]" + name
	}
	w.log = append(w.log, said{what + " " + name, uintptr(p), t.Size() * uintptr(n)})
}

//go:noinline
func (w *worker) ofNode(i int64) {
	x := new(node)
	x.value[2] = i
	x.next = w.nodes
	if i%64 == 0 {
		w.nodes = nil
	} else {
		w.nodes = x
	}
	w.say("ofNode", unsafe.Pointer(x), reflect.TypeOf(*x), 1)
}

//go:noinline
func (w *worker) ofTiny(i int64) {
	x := new(tiny)
	x.b = int8(i)
	w.sink = x
	w.say("ofTiny", unsafe.Pointer(x), reflect.TypeOf(*x), 1)
}

//go:noinline
func (w *worker) ofWide(i int64) {
	x := new(wide)
	x.words[4999] = i
	w.sink = x
	w.say("ofWide", unsafe.Pointer(x), reflect.TypeOf(*x), 1)
}

//go:noinline
func (w *worker) ofSlice(n int) {
	x := make([]pair[int32], n)
	x[n-1].second = 7
	w.sink = x
	w.say("ofSlice", unsafe.Pointer(&x[0]), reflect.TypeOf(x[0]), n)
}

//go:noinline
func (w *worker) ofReflect(i int64) {
	v := reflect.New(reflect.TypeOf(pair[int64]{}))
	p := (*pair[int64])(unsafe.Pointer(v.Pointer()))
	p.second = i
	w.sink = p
	w.say("reflect.New", unsafe.Pointer(p), reflect.TypeOf(*p), 1)
}

//go:noinline
func (w *worker) deep(depth int, i int64) int64 {
	var room [64]int64
	room[depth%64] = i
	if depth == 0 {
		w.ofNode(i)
		w.ofTiny(i)
		w.ofSlice(int(2 + i%50))
		w.ofReflect(i)
		if i%8 == 0 {
			w.ofWide(i)
			runtime.Gosched()
		}
		return i
	}
	return w.deep(depth-1, i) + room[(depth+1)%64]
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	processors, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(processors)
	var all sync.WaitGroup
	workers := make([]worker, 8)
	for g := range workers {
		all.Add(1)
		go func(w *worker) {
			defer all.Done()
			for i := 0; i < rounds; i++ {
				done := make(chan int64)
				go func() { done <- w.deep(i%200, int64(i+1)) }()
				<-done
			}
		}(&workers[g])
	}
	for i := 0; i < 20; i++ {
		runtime.GC()
	}
	all.Wait()
	out := bufio.NewWriter(os.Stdout)
	for g := range workers {
		for _, one := range workers[g].log {
			fmt.Fprintf(out, "%s %x %d\n", one.what, one.address, one.size)
		}
	}
	out.Flush()
}
