package input

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns has calls that take memory, like checks of files and of indexes with their shards. All of them must end in
// order, however much they take. They must not take more than the budget, except for the needs of the first call.
func TestTurns(t *testing.T) {
	const half, large = maxTaken / 2, 3 * maxTaken
	tests := []struct {
		reason string
		takes  []int64 // of a call, one after the other
		inner  int64   // of each of three calls in it
	}{
		{"small ones", []int64{1}, 0}, {"two at once", []int64{half}, 0}, {"each alone", []int64{large}, 0},
		{"calls that have taken some and want more", []int64{half, half, half}, 0},
		{"shards", []int64{half}, half}, {"large shards", []int64{1}, large},
	}
	for _, tt := range tests {
		for _, jobs := range []int{1, 2, 8} {
			ctx, cancel := context.WithCancel(t.Context())
			most, first := int64(maxTaken), 3*tt.inner // of all others, alone or together; and of the first call
			for _, bytes := range append(tt.takes, tt.inner) {
				most, first = max(most, bytes), first+bytes
			}
			var used *Turn
			take := func(turn *Turn, bytes int64) {
				turn.Take(bytes)
				turn.Lock()
				defer turn.Unlock()
				if used = turn; turn.used > most+first {
					t.Errorf("%s, %d jobs: %d bytes at once", tt.reason, jobs, turn.used)
				}
			}
			items := make([]int, 20)
			for i := range items {
				items[i] = i
			}
			next := 0
			for i := range InOrder(ctx, jobs, nil, items, func(i int, turn *Turn) int {
				for _, bytes := range tt.takes {
					take(turn, bytes)
				}
				if tt.inner > 0 {
					shard := func(k int, turn *Turn) int {
						take(turn, tt.inner)
						return k
					}
					want := 0
					for k := range InOrder(t.Context(), 2, turn, []int{0, 1, 2}, shard) {
						if k != want {
							t.Errorf("%s: shard %d comes where %d does", tt.reason, k, want)
						}
						want++
					}
				}
				return i
			}) {
				if i != next {
					t.Fatalf("%s, %d jobs: %d comes where %d does", tt.reason, jobs, i, next)
				}
				next++
			}
			cancel()
			if next != len(items) || used.used != 0 {
				t.Errorf("%s, %d jobs: %d results, %d bytes left", tt.reason, jobs, next, used.used)
			}
		}
	}
}

// TestAhead counts the calls that begin while nothing takes the first result: eight for each job, and no more.
func TestAhead(t *testing.T) {
	for jobs, want := range map[int]int32{1: 8, 2: 16, 3: 24} {
		synctest.Test(t, func(t *testing.T) {
			var begun atomic.Int32
			do := func(int, *Turn) int { return int(begun.Add(1)) }
			for range InOrder(context.Background(), jobs, nil, make([]int, 100), do) {
				synctest.Wait()
				// one result is out, whose place the next call has
				if n := begun.Load(); n < want || n > want+1 {
					t.Errorf("%d jobs: %d calls have begun, want %d", jobs, n, want)
				}
				break
			}
			synctest.Wait()
		})
	}
}

// TestInOrderEnds has a call that panics, a caller that takes no more, and a context that ends.
func TestInOrderEnds(t *testing.T) {
	for _, items := range [][]int{{0}, {0, 1, 2}} {
		var fault any
		func() {
			defer func() { fault = recover() }()
			for range InOrder(t.Context(), 2, nil, items, func(int, *Turn) int { panic("no") }) {
				t.Error("a call that panics has a result")
			}
		}()
		if fault != "no" {
			t.Errorf("%d items: the panic is %v", len(items), fault)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		results := 0
		for i := range InOrder(ctx, 2, nil, []int{0, 1, 2, 3}, func(i int, _ *Turn) int {
			if i == 2 {
				cancel()
				time.Sleep(time.Hour)
			}
			return i
		}) {
			if results++; i > 1 {
				t.Errorf("the result of call %d", i)
			}
		}
		if time.Sleep(2 * time.Hour); results > 2 {
			t.Errorf("%d results", results)
		}
	})
}

// TestTurnsGiveBack has a single call that returns the memory that it has taken, like an index of one shard.
func TestTurnsGiveBack(t *testing.T) {
	outer := &Turn{memory: new(memory), first: new(int)}
	outer.freed.L = outer
	for range InOrder(context.Background(), 1, outer, []int{0}, func(_ int, turn *Turn) int {
		turn.Take(maxTaken)
		return 0
	}) {
		if outer.used != maxTaken {
			t.Errorf("%d bytes are taken", outer.used)
		}
	}
	if outer.used != 0 {
		t.Errorf("%d bytes are not given back", outer.used)
	}
}

// TestReadersTakeMemory reads inputs that take more memory the longer they are.
func TestReadersTakeMemory(t *testing.T) {
	entries := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"t%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`, i)
		}
		text := "{" + strings.TrimSuffix(b.String(), ",") + "}"
		return string([]byte{byte(len(text)), byte(len(text) >> 8), byte(len(text) >> 16), 0, 0, 0, 0, 0}) + text
	}
	for _, tt := range []struct {
		name string
		text func(n int) string
	}{
		{"a.safetensors", entries},
		{"a.onnx", func(n int) string {
			graph := strings.Repeat("\x2A\x00", n) // initializers
			size := len(graph)
			length := []byte{0x3A, byte(size&0x7F | 0x80), byte(size>>7&0x7F | 0x80), byte(size >> 14)}
			return "\x08\x08" + string(length) + graph
		}},
		{"a.json", func(n int) string { return "[" + strings.Repeat(`{"DataType":"FLOAT32","Sizes":[1]},`, n) + "0]" }},
	} {
		taken := func(n int) int64 {
			turn := &Turn{memory: new(memory), first: new(int)}
			text := []byte(tt.text(n))
			s := Source{Name: tt.name, File: bytes.NewReader(text), Size: int64(len(text)), Turn: turn}
			_, err := Read(s, Options{})
			if err != nil && tt.name != "a.json" {
				t.Fatal(tt.name, err)
			}
			return turn.taken
		}
		one, two := taken(4000), taken(8000)
		if one < 4000*20 || two < one*19/10 || two > one*21/10 {
			t.Errorf("%s takes %d bytes, and %d where it is twice as long", tt.name, one, two)
		}
	}
}
