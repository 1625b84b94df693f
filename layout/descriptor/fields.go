package descriptor

// A Part is a part of a descriptor. Inputs state it as a field with a name.
type Part uint8

// The parts. Lists have items.
const (
	Whole Part = iota
	TypePart
	SizesPart
	StridesPart
	LayoutPart
	BasePart
	CountPart
	TotalPart
	AlignmentPart
	FlagsPart
	RolePart
	OperatorPart
	SlotPart
	ExpectPart // the expectation of the tensor
	NamePart
	TargetPart
	TensorTypePart  // the kind of the description: DirectML has one
	FilePart        // the file that the tensor is in
	TensorPart      // its name there
	DescriptionPart // text for people
	DescPart        // the object that has the other fields
	BoxPart         // in a tensor map, like the parts below
	ElementStridesPart
	InterleavePart
	SwizzlePart
	PromotionPart
	FillPart
	AddressPart
	PitchPart // gaps in the layout, like the ones below
	AlignPart
	PadPart
	PartCount
)

// A Vocabulary is a set of names for parts.
type Vocabulary uint8

// The vocabularies.
const (
	ConfigNames   Vocabulary = 1 << iota // for a tensor in a configuration
	DirectMLNames                        // for DirectML's DML_BUFFER_TENSOR_DESC
	LineNames                            // additional names for a descriptor on a line
	ModelNames                           // additional names for a descriptor in a DxDispatch model
	FileNames                            // additional names for a tensor in a configuration
	DriverNames                          // for a tensor map in CUDA's driver
	BindingNames                         // for DML_BUFFER_TENSOR_DESC in bindings for other languages, in camel case
)

// A Field is a name for a part, and the vocabularies of the name.
type Field struct {
	Name string
	Part Part
	In   Vocabulary
}

// FieldNames are the names for the parts of a descriptor in inputs.
var FieldNames = [...]Field{
	{"DataType", TypePart, DirectMLNames}, {"Sizes", SizesPart, DirectMLNames},
	{"Strides", StridesPart, DirectMLNames}, {"DimensionCount", CountPart, DirectMLNames},
	{"Flags", FlagsPart, DirectMLNames}, {"TotalTensorSizeInBytes", TotalPart, DirectMLNames},
	{"GuaranteedBaseOffsetAlignment", AlignmentPart, DirectMLNames}, {"dtype", TypePart, ConfigNames},
	{"sizes", SizesPart, ConfigNames | BindingNames}, {"layout", LayoutPart, ConfigNames},
	{"strides", StridesPart, ConfigNames | BindingNames}, {"storageOffset", BasePart, ConfigNames},
	{"base", BasePart, ConfigNames}, {"totalBytes", TotalPart, ConfigNames},
	{"alignment", AlignmentPart, ConfigNames}, {"flags", FlagsPart, ConfigNames | BindingNames},
	{"role", RolePart, ConfigNames | ModelNames}, {"operator", OperatorPart, ConfigNames},
	{"slot", SlotPart, ConfigNames}, {"expect", ExpectPart, ConfigNames}, {"name", NamePart, LineNames | DriverNames},
	{"target", TargetPart, LineNames | ModelNames | DriverNames}, {"Type", TensorTypePart, ModelNames},
	{"Desc", DescPart, ModelNames}, {"file", FilePart, FileNames}, {"tensor", TensorPart, FileNames},
	{"description", DescriptionPart, FileNames}, {"pitch", PitchPart, FileNames}, {"align", AlignPart, FileNames},
	{"pad", PadPart, FileNames}, {"box", BoxPart, ConfigNames},
	{"elementStrides", ElementStridesPart, ConfigNames | DriverNames},
	{"interleave", InterleavePart, ConfigNames | DriverNames}, {"swizzle", SwizzlePart, ConfigNames | DriverNames},
	{"oobFill", FillPart, ConfigNames | DriverNames}, {"address", AddressPart, ConfigNames},
	{"dataType", TypePart, DriverNames | BindingNames}, {"rank", CountPart, DriverNames},
	{"globalAddress", AddressPart, DriverNames},
	{"globalDim", SizesPart, DriverNames}, {"globalStrides", StridesPart, DriverNames},
	{"boxDim", BoxPart, DriverNames}, {"l2Promotion", PromotionPart, DriverNames},
	{"dimensionCount", CountPart, BindingNames}, {"totalTensorSizeInBytes", TotalPart, BindingNames},
	{"guaranteedBaseOffsetAlignment", AlignmentPart, BindingNames},
}

// FieldOf returns the field with the name in any of the vocabularies, with the vocabularies among them that have it. It
// returns the zero Field if no vocabulary has it.
func FieldOf(name []byte, in Vocabulary) Field {
	for i := range FieldNames {
		if f := &FieldNames[i]; len(f.Name) == len(name) && f.In&in != 0 && f.Name == string(name) {
			return Field{f.Name, f.Part, f.In & in}
		}
	}
	return Field{}
}

// NamesIn returns the names of a vocabulary.
func NamesIn(in Vocabulary) []string {
	var names []string
	for i := range FieldNames {
		if f := &FieldNames[i]; f.In&in != 0 {
			names = append(names, f.Name)
		}
	}
	return names
}
