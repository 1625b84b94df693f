package triton

import "layoutcalc/layout/finding"

// The rules for Triton configurations and repositories.
var (
	Template                = &finding.Rule{Name: "triton-template", Severity: finding.Error}
	tritonField             = &finding.Rule{Name: "triton-field", Severity: finding.Error}
	tritonValue             = &finding.Rule{Name: "triton-value", Severity: finding.Error}
	tritonMapKey            = &finding.Rule{Name: "triton-map-key", Severity: finding.Warning}
	tritonName              = &finding.Rule{Name: "triton-name", Severity: finding.Error}
	tritonDType             = &finding.Rule{Name: "triton-dtype", Severity: finding.Error}
	tritonDimsMissing       = &finding.Rule{Name: "triton-dims-missing", Severity: finding.Error}
	tritonDims              = &finding.Rule{Name: "triton-dims", Severity: finding.Error}
	tritonReshapeDims       = &finding.Rule{Name: "triton-reshape-dims", Severity: finding.Error}
	tritonReshapeEmpty      = &finding.Rule{Name: "triton-reshape-empty", Severity: finding.Error}
	tritonReshapeSize       = &finding.Rule{Name: "triton-reshape-size", Severity: finding.Error}
	tritonReshapeVariable   = &finding.Rule{Name: "triton-reshape-variable", Severity: finding.Error}
	tritonFormatRank        = &finding.Rule{Name: "triton-format-rank", Severity: finding.Error}
	tritonFormatOrder       = &finding.Rule{Name: "triton-format-order", Severity: finding.Warning}
	tritonShapeTensor       = &finding.Rule{Name: "triton-shape-tensor", Severity: finding.Error}
	tritonNonLinear         = &finding.Rule{Name: "triton-nonlinear", Severity: finding.Error}
	tritonBatchSize         = &finding.Rule{Name: "triton-batch-size", Severity: finding.Error}
	tritonPreferred         = &finding.Rule{Name: "triton-preferred", Severity: finding.Error}
	tritonInstance          = &finding.Rule{Name: "triton-instance", Severity: finding.Error}
	tritonPriority          = &finding.Rule{Name: "triton-priority", Severity: finding.Error}
	tritonCache             = &finding.Rule{Name: "triton-cache", Severity: finding.Error}
	tritonMetrics           = &finding.Rule{Name: "triton-metrics", Severity: finding.Error}
	tritonBatchInput        = &finding.Rule{Name: "triton-batch-input", Severity: finding.Error}
	tritonBatchOutput       = &finding.Rule{Name: "triton-batch-output", Severity: finding.Error}
	tritonPlatform          = &finding.Rule{Name: "triton-platform", Severity: finding.Error}
	tritonNoOutput          = &finding.Rule{Name: "triton-no-output", Severity: finding.Error}
	tritonPyTorchNames      = &finding.Rule{Name: "triton-pytorch-names", Severity: finding.Warning}
	tritonDuplicateIO       = &finding.Rule{Name: "triton-duplicate-io", Severity: finding.Error}
	tritonReshapeNeedless   = &finding.Rule{Name: "triton-reshape-needless", Severity: finding.Note}
	tritonSequence          = &finding.Rule{Name: "triton-sequence", Severity: finding.Error}
	tritonState             = &finding.Rule{Name: "triton-state", Severity: finding.Error}
	tritonWarmup            = &finding.Rule{Name: "triton-warmup", Severity: finding.Error}
	tritonDirName           = &finding.Rule{Name: "triton-dir-name", Severity: finding.Error}
	tritonVersion           = &finding.Rule{Name: "triton-version", Severity: finding.Warning}
	tritonModelFile         = &finding.Rule{Name: "triton-model-file", Severity: finding.Error}
	tritonLabel             = &finding.Rule{Name: "triton-label", Severity: finding.Error}
	tritonEnsemble          = &finding.Rule{Name: "triton-ensemble", Severity: finding.Error}
	tritonEnsembleTensor    = &finding.Rule{Name: "triton-ensemble-tensor", Severity: finding.Error}
	tritonEnsembleModel     = &finding.Rule{Name: "triton-ensemble-model", Severity: finding.Error}
	tritonEnsembleMap       = &finding.Rule{Name: "triton-ensemble-map", Severity: finding.Error}
	tritonEnsembleShape     = &finding.Rule{Name: "triton-ensemble-shape", Severity: finding.Error}
	tritonEnsembleDecoupled = &finding.Rule{Name: "triton-ensemble-decoupled", Severity: finding.Error}
	tritonONNXInputs        = &finding.Rule{Name: "triton-onnx-inputs", Severity: finding.Error}
	tritonONNXName          = &finding.Rule{Name: "triton-onnx-name", Severity: finding.Error}
	tritonONNXDType         = &finding.Rule{Name: "triton-onnx-dtype", Severity: finding.Error}
	tritonONNXBatch         = &finding.Rule{Name: "triton-onnx-batch", Severity: finding.Error}
	tritonONNXRank          = &finding.Rule{Name: "triton-onnx-rank", Severity: finding.Error}
	tritonONNXDims          = &finding.Rule{Name: "triton-onnx-dims", Severity: finding.Error}
	tritonONNXScalar        = &finding.Rule{Name: "triton-onnx-scalar", Severity: finding.Error}
	tritonONNXRagged        = &finding.Rule{Name: "triton-onnx-ragged", Severity: finding.Error}
	tritonONNXOptional      = &finding.Rule{Name: "triton-onnx-optional", Severity: finding.Error}
)

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	Template, tritonField, tritonValue, tritonMapKey, tritonName, tritonDType, tritonDimsMissing, tritonDims,
	tritonReshapeDims, tritonReshapeEmpty, tritonReshapeSize, tritonReshapeVariable, tritonFormatRank,
	tritonFormatOrder, tritonShapeTensor, tritonNonLinear, tritonBatchSize, tritonPreferred, tritonInstance,
	tritonPriority, tritonCache, tritonMetrics, tritonBatchInput, tritonBatchOutput, tritonPlatform, tritonNoOutput,
	tritonPyTorchNames, tritonDuplicateIO, tritonReshapeNeedless, tritonSequence, tritonState, tritonWarmup,
	tritonDirName, tritonVersion, tritonModelFile, tritonLabel, tritonEnsemble, tritonEnsembleTensor,
	tritonEnsembleModel, tritonEnsembleMap, tritonEnsembleShape, tritonEnsembleDecoupled,
	tritonONNXInputs, tritonONNXName, tritonONNXDType, tritonONNXBatch, tritonONNXRank, tritonONNXDims,
	tritonONNXScalar, tritonONNXRagged, tritonONNXOptional,
}
