// Package notation translates between layouts and the texts in which ecosystems write them:
// PyTorch's and NumPy's calls, DirectML's structs, oneDNN's descriptors, XLA's and MLIR's types,
// CuTe's shapes, and others.
//
// Each ecosystem has a file, and each of its notations a row in [All]: a function that reads
// texts into a [Descriptor], one that writes a tensor, and what [Explain] tells of it.
//
// Two ways of reading serve them all. Texts with a grammar of their own go through a [reader]
// byte by byte; literals of C++, Python and JSON are first read into a tree of [value]s, in
// which the notations then look for the fields that they know.
//
// Writing never lies: where a notation cannot say what a layout is, there is a [LossError] that
// names what would be lost, and no text.
package notation
