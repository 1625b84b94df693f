package onnx

import "layoutcalc/layout/finding"

// The rules for ONNX models.
var (
	Truncated           = &finding.Rule{Name: "onnx-truncated", Severity: finding.Error}
	Nesting             = &finding.Rule{Name: "onnx-nesting", Severity: finding.Error}
	onnxIRVersion       = &finding.Rule{Name: "onnx-ir-version", Severity: finding.Error}
	onnxOpset           = &finding.Rule{Name: "onnx-opset", Severity: finding.Error}
	onnxOperator        = &finding.Rule{Name: "onnx-operator", Severity: finding.Error}
	onnxDataSize        = &finding.Rule{Name: "onnx-data-size", Severity: finding.Error}
	onnxDataCount       = &finding.Rule{Name: "onnx-data-count", Severity: finding.Error}
	onnxDataFields      = &finding.Rule{Name: "onnx-data-fields", Severity: finding.Error}
	onnxDims            = &finding.Rule{Name: "onnx-dims", Severity: finding.Error}
	onnxName            = &finding.Rule{Name: "onnx-name", Severity: finding.Error}
	onnxSSA             = &finding.Rule{Name: "onnx-ssa", Severity: finding.Error}
	onnxNode            = &finding.Rule{Name: "onnx-node", Severity: finding.Error}
	onnxIOType          = &finding.Rule{Name: "onnx-io-type", Severity: finding.Error}
	onnxInitShape       = &finding.Rule{Name: "onnx-init-shape", Severity: finding.Error}
	onnxDimValue        = &finding.Rule{Name: "onnx-dim-value", Severity: finding.Warning}
	onnxSparse          = &finding.Rule{Name: "onnx-sparse", Severity: finding.Error}
	onnxQuantAnnotation = &finding.Rule{Name: "onnx-quant-annotation", Severity: finding.Warning}
	onnxConv            = &finding.Rule{Name: "onnx-conv", Severity: finding.Error}
	onnxOperands        = &finding.Rule{Name: "onnx-operands", Severity: finding.Error}
	onnx2GiB            = &finding.Rule{Name: "onnx-2gib", Severity: finding.Error}
	onnxExternalPath    = &finding.Rule{Name: "onnx-external-path", Severity: finding.Error}
	onnxExternalLink    = &finding.Rule{Name: "onnx-external-link", Severity: finding.Warning}
	onnxExternalMissing = &finding.Rule{Name: "onnx-external-missing", Severity: finding.Error}
	onnxExternalRange   = &finding.Rule{Name: "onnx-external-range", Severity: finding.Error}
	onnxExternalLength  = &finding.Rule{Name: "onnx-external-length", Severity: finding.Error}
	onnxExternalOverlap = &finding.Rule{Name: "onnx-external-overlap", Severity: finding.Warning}
	onnxExternalAlign   = &finding.Rule{Name: "onnx-external-align", Severity: finding.Note}
	onnxExternalGap     = &finding.Rule{Name: "onnx-external-gap", Severity: finding.Note}
)

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	Truncated, Nesting, onnxIRVersion, onnxOpset, onnxOperator, onnxDataSize, onnxDataCount, onnxDataFields, onnxDims,
	onnxName, onnxSSA, onnxNode, onnxIOType, onnxInitShape, onnxDimValue, onnxSparse, onnxQuantAnnotation, onnxConv,
	onnxOperands, onnx2GiB, onnxExternalPath, onnxExternalLink, onnxExternalMissing, onnxExternalRange,
	onnxExternalLength, onnxExternalOverlap,
	onnxExternalAlign, onnxExternalGap,
}
