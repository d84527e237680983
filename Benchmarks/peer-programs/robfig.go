// Go with robfig/cron, to be measured beside tminus.
//
// usage: robfig entries COUNT            arms that many entries, prints "armed" and waits
//        robfig late PER-SECOND SECONDS  prints the median and the 99th percentile of lateness in microseconds, of Go's own
//                                        timers: entries of robfig/cron are due at whole seconds only
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/robfig/cron"
)

func number(index int) int {
	value, err := strconv.Atoi(os.Args[index])
	if err != nil {
		os.Exit(64)
	}
	return value
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "entries":
		jobs := cron.New()
		for entry := 0; entry < number(2); entry++ {
			if _, err := jobs.AddFunc(fmt.Sprintf("%d %d 1 1 *", entry%60, entry/60%24), func() {}); err != nil {
				panic(err)
			}
		}
		jobs.Start()
		// It takes one more entry only when it has armed the others.
		jobs.AddFunc("0 0 1 1 *", func() {})
		fmt.Println("armed")
		select {}
	case len(os.Args) == 4 && os.Args[1] == "late":
		count := number(2) * number(3)
		late := make([]time.Duration, count)
		var done sync.WaitGroup
		done.Add(count)
		start := time.Now().Add(500 * time.Millisecond)
		for entry := 0; entry < count; entry++ {
			entry, due := entry, start.Add(time.Duration(entry)*time.Second/time.Duration(number(2)))
			time.AfterFunc(time.Until(due), func() {
				late[entry] = time.Since(due)
				done.Done()
			})
		}
		done.Wait()
		sort.Slice(late, func(left, right int) bool { return late[left] < late[right] })
		micro := func(value time.Duration) float64 { return float64(value.Nanoseconds()) / 1e3 }
		fmt.Printf("%.1f %.1f\n", micro(late[count/2]), micro(late[count*99/100]))
	default:
		os.Exit(64)
	}
}
