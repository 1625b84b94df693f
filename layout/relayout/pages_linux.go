package relayout

import "syscall"

// pages returns n bytes of fresh memory for large buffers, and a function that releases it. Its pages are as large as
// the system allows, because in a virtual machine the first access to each page is slow. The garbage collector does not
// manage it.
func pages(n int) (memory []byte, free func()) {
	const hugePage, adviseHuge = 2 << 20, 14
	const access, fresh = syscall.PROT_READ | syscall.PROT_WRITE, syscall.MAP_ANON | syscall.MAP_PRIVATE
	if n < hugePage {
		return make([]byte, n), func() {}
	}
	b, err := syscall.Mmap(-1, 0, (n+hugePage-1)&^(hugePage-1), access, fresh)
	if err != nil {
		return make([]byte, n), func() {}
	}
	_ = syscall.Madvise(b, adviseHuge) // a system without huge pages uses small ones
	return b, func() { _ = syscall.Munmap(b) }
}
