// Package processtest tests the program as a process, and times it: exit codes, pipes, signals, full disks, memory, and
// files that try to break it. It only contains tests and may import only package cmd. The test binary runs as the
// program, so that it is built once per test run, with the race detector if the tests use it; the benchmarks build the
// program itself.
package processtest
