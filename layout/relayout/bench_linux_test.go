package relayout_test

import "syscall"

// memory returns n bytes of fresh memory in pages as large as the system allows: small ones cost a move of large data
// up to a third of its speed.
func memory(n int64) []byte {
	const hugePage, adviseHuge = 2 << 20, 14
	const access, fresh = syscall.PROT_READ | syscall.PROT_WRITE, syscall.MAP_ANON | syscall.MAP_PRIVATE
	b, err := syscall.Mmap(-1, 0, int(n+2*hugePage), access, fresh)
	if err != nil {
		return make([]byte, n)
	}
	_ = syscall.Madvise(b, adviseHuge) // a system without huge pages uses small ones
	return b[:n]
}
