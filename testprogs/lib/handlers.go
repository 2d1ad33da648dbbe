// Children of a program whose runtime has a handler for every signal; with cgo, so that it is linked dynamically.
package main

import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 10)
	signal.Notify(signals, syscall.SIGUSR1)
	for i := 0; i < 3; i++ {
		out, err := exec.Command("sh", "-c", fmt.Sprintf("echo child %d; exit %d", i, i)).Output()
		fmt.Printf("%q %v\n", out, err)
	}
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-signals)
	defer func() { fmt.Println("recovered:", recover()) }()
	var nowhere *int
	*nowhere = 1
}
