package onnx

// The fields that are read, by the numbers that onnx.proto gives them.
const (
	irVersion       = 1
	producerName    = 2
	producerVersion = 3
	modelGraph      = 7
	opsetImport     = 8
	modelTraining   = 20
	modelFunctions  = 25

	opsetDomain  = 1
	opsetVersion = 2

	functionName      = 1 // of a training this is the graph of its start
	trainingAlgorithm = 2
	functionNode      = 7

	graphNode         = 1
	graphInitializer  = 5
	graphInput        = 11
	graphOutput       = 12
	graphValueInfo    = 13
	graphQuantization = 14
	graphSparse       = 15

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOpType    = 4
	nodeAttribute = 5
	nodeDomain    = 7

	attrName    = 1
	attrFloat   = 2
	attrInt     = 3
	attrTensor  = 5
	attrGraph   = 6
	attrFloats  = 7
	attrInts    = 8
	attrTensors = 10
	attrGraphs  = 11
	attrSparse  = 22
	attrSparses = 23

	valueName = 1
	valueType = 2

	typeTensor     = 1
	typeSequence   = 4
	typeMap        = 5
	typeDenotation = 6
	typeOpaque     = 7
	typeSparse     = 8
	typeOptional   = 9

	tensorTypeElem  = 1
	tensorTypeShape = 2
	dimValue        = 1
	dimParam        = 2

	tensorDims     = 1
	tensorType     = 2
	floatData      = 4
	int32Data      = 5
	stringData     = 6
	int64Data      = 7
	tensorName     = 8
	rawData        = 9
	doubleData     = 10
	uint64Data     = 11
	tensorExternal = 13
	tensorLocation = 14

	sparseValues  = 1
	sparseIndices = 2
	sparseDims    = 3

	annotationTensor     = 1
	annotationParameters = 2

	entryKey   = 1
	entryValue = 2
)

// A kind is a type of messages, with the numbers of its fields as sets by how they are written.
type kind struct {
	name                             string
	varints, bytes, fixed32, fixed64 uint64
}

// The messages of onnx.proto. Repeated numbers may be written together, and are bytes then.
var (
	modelKind = kind{
		name: "ModelProto", varints: 1<<irVersion | 1<<5,
		bytes: 1<<producerName | 1<<producerVersion | 1<<4 | 1<<6 | 1<<modelGraph | 1<<opsetImport | 1<<14 |
			1<<modelTraining | 1<<modelFunctions | 1<<26,
	}
	opsetKind    = kind{name: "OperatorSetIdProto", bytes: 1 << opsetDomain, varints: 1 << opsetVersion}
	functionKind = kind{
		name: "FunctionProto",
		bytes: 1<<functionName | 1<<4 | 1<<5 | 1<<6 | 1<<functionNode | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12 | 1<<13 |
			1<<14,
	}
	trainingKind = kind{name: "TrainingInfoProto", bytes: 1<<functionName | 1<<trainingAlgorithm | 1<<3 | 1<<4}
	graphKind    = kind{
		name: "GraphProto",
		bytes: 1<<graphNode | 1<<2 | 1<<graphInitializer | 1<<10 | 1<<graphInput | 1<<graphOutput | 1<<graphValueInfo |
			1<<graphQuantization | 1<<graphSparse | 1<<16,
	}
	nodeKind = kind{
		name: "NodeProto",
		bytes: 1<<nodeInput | 1<<nodeOutput | 1<<nodeName | 1<<nodeOpType | 1<<nodeAttribute | 1<<6 | 1<<nodeDomain |
			1<<8 | 1<<9 | 1<<10,
	}
	attributeKind = kind{
		name: "AttributeProto", varints: 1<<attrInt | 1<<attrInts | 1<<20, fixed32: 1<<attrFloat | 1<<attrFloats,
		bytes: 1<<attrName | 1<<4 | 1<<attrTensor | 1<<attrGraph | 1<<attrFloats | 1<<attrInts | 1<<9 | 1<<attrTensors |
			1<<attrGraphs | 1<<13 | 1<<14 | 1<<15 | 1<<21 | 1<<attrSparse | 1<<attrSparses,
	}
	valueKind = kind{name: "ValueInfoProto", bytes: 1<<valueName | 1<<valueType | 1<<3 | 1<<4}
	typeKind  = kind{
		name: "TypeProto",
		bytes: 1<<typeTensor | 1<<typeSequence | 1<<typeMap | 1<<typeDenotation | 1<<typeOpaque | 1<<typeSparse |
			1<<typeOptional,
	}
	tensorTypeKind = kind{name: "TypeProto.Tensor", varints: 1 << tensorTypeElem, bytes: 1 << tensorTypeShape}
	shapeKind      = kind{name: "TensorShapeProto", bytes: 1 << 1}
	dimKind        = kind{name: "TensorShapeProto.Dimension", varints: 1 << dimValue, bytes: 1<<dimParam | 1<<3}
	tensorKind     = kind{
		name: "TensorProto",
		varints: 1<<tensorDims | 1<<tensorType | 1<<int32Data | 1<<int64Data | 1<<uint64Data |
			1<<tensorLocation,
		fixed32: 1 << floatData, fixed64: 1 << doubleData,
		bytes: 1<<tensorDims | 1<<3 | 1<<floatData | 1<<int32Data | 1<<stringData | 1<<int64Data | 1<<tensorName |
			1<<rawData | 1<<doubleData | 1<<uint64Data | 1<<12 | 1<<tensorExternal | 1<<16,
	}
	sparseKind = kind{
		name: "SparseTensorProto", bytes: 1<<sparseValues | 1<<sparseIndices | 1<<sparseDims,
		varints: 1 << sparseDims,
	}
	annotationKind = kind{name: "TensorAnnotation", bytes: 1<<annotationTensor | 1<<annotationParameters}
	entryKind      = kind{name: "StringStringEntryProto", bytes: 1<<entryKey | 1<<entryValue}
)

// has reports whether the messages have a field of that number and type.
func (k *kind) has(number uint64, t wireType) bool {
	set := k.bytes
	switch t {
	case varint:
		set = k.varints
	case fixed64:
		set = k.fixed64
	case fixed32:
		set = k.fixed32
	}
	return number < 64 && set>>number&1 != 0
}
