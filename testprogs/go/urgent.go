// Computes in four goroutines for five seconds, while SIGURG arrives: those of others, and those by
// which the scheduler takes a processor from a goroutine.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func compute(stop <-chan bool, wrong chan<- int) {
	table := make([]int, 1000)
	for rounds := 0; ; rounds++ {
		select {
		case <-stop:
			count := 0
			for i, value := range table {
				if value != i*rounds {
					count++
				}
			}
			wrong <- count
			return
		default:
		}
		for i := range table {
			table[i] += i
		}
	}
}

func main() {
	seen := 0
	came := make(chan os.Signal, 1000)
	signal.Notify(came, syscall.SIGURG)
	stop := make(chan bool)
	wrong := make(chan int)
	for g := 0; g < 4; g++ {
		go compute(stop, wrong)
	}
	fmt.Println(os.Getpid())
	for end := time.After(5 * time.Second); ; {
		select {
		case <-came:
			seen++
			continue
		case <-end:
		}
		break
	}
	close(stop)
	count := 0
	for g := 0; g < 4; g++ {
		count += <-wrong
	}
	fmt.Println(count, "wrong,", seen, "seen")
}
