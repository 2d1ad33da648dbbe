// Sorts words, and keeps numbers in a tree: the same instructions in each run, but for maps.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

type node struct {
	key         int
	left, right *node
}

func (n *node) put(key int) *node {
	if n == nil {
		return &node{key: key}
	}
	if key < n.key {
		n.left = n.left.put(key)
	} else if key > n.key {
		n.right = n.right.put(key)
	}
	return n
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.left.sum() + n.key + n.right.sum()
}

func main() {
	var root *node
	seed := uint32(1)
	words := []string{}
	for i := 0; i < 2000; i++ {
		seed = seed*1664525 + 1013904223
		root = root.put(int(seed >> 16))
		words = append(words, strconv.Itoa(int(seed>>20)))
	}
	sort.Strings(words)
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	text := strings.Join(words, ",")
	var vector [256]float64
	for i := range vector {
		for j := 1; j < 64; j++ {
			vector[i] += 1 / float64(i+j)
		}
	}
	fmt.Fprintln(os.Stdout, root.sum(), len(counts), strings.Count(text, "77"), vector[7])
}
