package descriptor

import (
	"slices"
	"strings"
	"testing"
)

// TestFieldNames compares DirectML's vocabulary with the members of DML_BUFFER_TENSOR_DESC, and looks names up in
// vocabularies that have them and in others.
func TestFieldNames(t *testing.T) {
	members := strings.Fields("DataType DimensionCount Flags GuaranteedBaseOffsetAlignment Sizes Strides " +
		"TotalTensorSizeInBytes")
	if names := slices.Sorted(slices.Values(NamesIn(DirectMLNames))); !slices.Equal(names, members) {
		t.Errorf("DirectML's names are %q, want %q", names, members)
	}
	if names := NamesIn(LineNames | ModelNames); !slices.Equal(names, strings.Fields("role name target Type Desc")) {
		t.Errorf("the names of lines and models are %q", names)
	}
	tests := []struct {
		name   string
		in     Vocabulary
		want   Field
		reason string
	}{
		{"Sizes", DirectMLNames, Field{"Sizes", SizesPart, DirectMLNames}, "DirectML's"},
		{"Sizes", ConfigNames | LineNames, Field{}, "in small letters there"},
		{"sizes", ConfigNames | DirectMLNames, Field{"sizes", SizesPart, ConfigNames}, "one of both"},
		{"role", ConfigNames | ModelNames | LineNames, Field{"role", RolePart, ConfigNames | ModelNames}, "two"},
		{"role", ModelNames, Field{"role", RolePart, ModelNames}, "one of them"},
		{"size", ConfigNames, Field{}, "one letter less"},
		{"slat", ConfigNames, Field{}, "as long as another"},
		{"", ConfigNames | DirectMLNames, Field{}, "nothing"},
	}
	for _, tt := range tests {
		if have := FieldOf([]byte(tt.name), tt.in); have != tt.want {
			t.Errorf("%q in %d: %+v, want %+v (%s)", tt.name, tt.in, have, tt.want, tt.reason)
		}
	}
}
