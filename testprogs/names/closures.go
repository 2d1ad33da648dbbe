// Closures, and variables of one name in functions and in the package.
package main

import "os"

var seen [11]int

//go:noinline
func apply(of func(int) int, count int) int {
	sum := 0
	for i := 0; i < count; i++ {
		sum += of(i)
	}
	return sum
}

func counter() func(int) int {
	seen := make([]int, 3)
	return func(i int) int { seen[i%3]++; return seen[i%3] }
}

func main() {
	sum := apply(counter(), 5)
	sum += apply(func(i int) int { seen[i%11] += i; return i }, 7)
	sum += apply(func(i int) int { return seen[i%11] }, 9)
	if sum == 0 {
		os.Exit(1)
	}
}
