package tensorfile

import "layoutcalc/layout/finding"

// The rules of tensor files, and of indexes of .safetensors files.
var (
	LFSPointer         = &finding.Rule{Name: "lfs-pointer", Severity: finding.Error}
	NotTheFile         = &finding.Rule{Name: "not-the-file", Severity: finding.Error}
	FileHeader         = &finding.Rule{Name: "file-header", Severity: finding.Error}
	FileSize           = &finding.Rule{Name: "file-size", Severity: finding.Error}
	FileType           = &finding.Rule{Name: "file-type", Severity: finding.Error}
	FileOverlap        = &finding.Rule{Name: "file-overlap", Severity: finding.Error}
	FileHole           = &finding.Rule{Name: "file-hole", Severity: finding.Error}
	FileAlign          = &finding.Rule{Name: "file-align", Severity: finding.Error}
	FileOrder          = &finding.Rule{Name: "file-order", Severity: finding.Note}
	FileFormat         = &finding.Rule{Name: "file-format", Severity: finding.Error}
	FileName           = &finding.Rule{Name: "file-name", Severity: finding.Error}
	FileTrailing       = &finding.Rule{Name: "file-trailing", Severity: finding.Error}
	FileSplit          = &finding.Rule{Name: "file-split", Severity: finding.Error}
	IndexMap           = &finding.Rule{Name: "index-map", Severity: finding.Error}
	IndexPath          = &finding.Rule{Name: "index-path", Severity: finding.Error}
	IndexShardMissing  = &finding.Rule{Name: "index-shard-missing", Severity: finding.Error}
	IndexShardExtra    = &finding.Rule{Name: "index-shard-extra", Severity: finding.Warning}
	IndexTensorMissing = &finding.Rule{Name: "index-tensor-missing", Severity: finding.Error}
	IndexTensorExtra   = &finding.Rule{Name: "index-tensor-extra", Severity: finding.Warning}
	IndexDuplicate     = &finding.Rule{Name: "index-duplicate", Severity: finding.Warning}
	IndexTotalSize     = &finding.Rule{Name: "index-total-size", Severity: finding.Warning}
	IndexMetadata      = &finding.Rule{Name: "index-metadata", Severity: finding.Warning}
)

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	LFSPointer, NotTheFile, FileHeader, FileSize, FileType, FileOverlap, FileHole, FileAlign, FileOrder, FileFormat,
	FileName, FileTrailing, FileSplit, IndexMap, IndexPath, IndexShardMissing, IndexShardExtra, IndexTensorMissing,
	IndexTensorExtra,
	IndexDuplicate, IndexTotalSize, IndexMetadata,
}
