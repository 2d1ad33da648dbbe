// Generic functions and methods of one name on several types.
package main

import "os"

type Item struct {
	price int64
	names [3]string
}

type Stock[T any] struct {
	items []T
}

func (s *Stock[T]) Add(item T) { s.items = append(s.items, item) }

type Left struct{ count [5]int }
type Right struct{ count [7]int }

//go:noinline
func (l *Left) Touch(i int) int { l.count[i%5]++; return l.count[i%5] }

//go:noinline
func (r *Right) Touch(i int) int { r.count[i%7]++; return r.count[i%7] }

//go:noinline
func largest[T int64 | float64](of []T) T {
	most := of[0]
	for _, each := range of {
		if each > most {
			most = each
		}
	}
	return most
}

func main() {
	stock := &Stock[Item]{}
	masses := &Stock[float64]{}
	left, right := &Left{}, &Right{}
	sum := 0
	for i := 0; i < 13; i++ {
		stock.Add(Item{price: int64(i)})
		masses.Add(float64(i) / 2)
		sum += left.Touch(i) + right.Touch(i)
	}
	if sum+int(largest([]int64{1, 2}))+int(largest(masses.items)) == 0 {
		os.Exit(1)
	}
}
