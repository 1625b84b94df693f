// Package processtest tests the program as a process, and times it: exit codes, pipes, signals, full disks, memory, and
// files that try to break it. It has no code but tests and may import package cmd alone. The test binary runs as the
// program, so that it is built once a test run, with the race detector if the tests have it; the benchmarks build the
// program itself.
package processtest
