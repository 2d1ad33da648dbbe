// Has a million goroutines at once, a thousand of which make their stacks grow.
package main

import (
	"fmt"
	"sync"
)

const all = 1000000

func deep(n int) int {
	var room [16]int
	room[n%16] = n
	if n > 0 {
		return deep(n-1) + room[n%16]
	}
	return 0
}

func main() {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	sums := make(chan int, 100)
	ready.Add(all)
	done.Add(all)
	for i := 0; i < all; i++ {
		go func(i int) {
			ready.Done()
			<-gate
			if i%1000 == 0 {
				sums <- deep(200)
			}
			done.Done()
		}(i)
	}
	ready.Wait()
	close(gate)
	sum := 0
	for i := 0; i < all/1000; i++ {
		sum += <-sums
	}
	done.Wait()
	fmt.Println(sum)
}
