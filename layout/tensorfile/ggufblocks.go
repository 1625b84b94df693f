package tensorfile

// A ggufType is a row of ggml's table of types: its name, and how many elements lie in how many
// bytes. A type without a name was removed.
type ggufType struct {
	name            string
	elements, bytes int64
}

// ggufTypes are the types of ggml 0.21, by their numbers.
var ggufTypes = [...]ggufType{
	0:  {"F32", 1, 4},
	1:  {"F16", 1, 2},
	2:  {"Q4_0", 32, 18},
	3:  {"Q4_1", 32, 20},
	6:  {"Q5_0", 32, 22},
	7:  {"Q5_1", 32, 24},
	8:  {"Q8_0", 32, 34},
	9:  {"Q8_1", 32, 36},
	10: {"Q2_K", 256, 84},
	11: {"Q3_K", 256, 110},
	12: {"Q4_K", 256, 144},
	13: {"Q5_K", 256, 176},
	14: {"Q6_K", 256, 210},
	15: {"Q8_K", 256, 292},
	16: {"IQ2_XXS", 256, 66},
	17: {"IQ2_XS", 256, 74},
	18: {"IQ3_XXS", 256, 98},
	19: {"IQ1_S", 256, 50},
	20: {"IQ4_NL", 32, 18},
	21: {"IQ3_S", 256, 110},
	22: {"IQ2_S", 256, 82},
	23: {"IQ4_XS", 256, 136},
	24: {"I8", 1, 1},
	25: {"I16", 1, 2},
	26: {"I32", 1, 4},
	27: {"I64", 1, 8},
	28: {"F64", 1, 8},
	29: {"IQ1_M", 256, 56},
	30: {"BF16", 1, 2},
	34: {"TQ1_0", 256, 54},
	35: {"TQ2_0", 256, 66},
	39: {"MXFP4", 32, 17},
	40: {"NVFP4", 64, 36},
	41: {"Q1_0", 128, 18},
	42: {"Q2_0", 64, 18},
}

// ggufWidths are the bytes of a value of metadata by its type; 0 where they differ.
var ggufWidths = [...]uint64{
	0: 1, 1: 1, // 8 bits, unsigned and signed
	2: 2, 3: 2,
	4: 4, 5: 4,
	6:          4, // a float
	7:          1, // a truth value
	ggufString: 0, ggufArray: 0,
	10: 8, 11: 8,
	12: 8, // a double
}

// Types of metadata that are not like the others.
const (
	ggufUint32 = 4
	ggufString = 8
	ggufArray  = 9
)
