module layoutcalc

go 1.25.0

require (
	github.com/clipperhouse/displaywidth v0.11.0
	github.com/fatih/color v1.19.0
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/olekukonko/tablewriter v1.1.0 // v1.1.2 and later fill a cache of 660 KB before main
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.10 // v1.1.0 writes [=true|false] after each switch in the help
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/term v0.45.0 // the last that Go 1.25 builds
	pgregory.net/rapid v1.3.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-colorable v0.1.16 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mattn/go-runewidth v0.0.19 // indirect; v0.0.20 and later make tables before main or at the first use, 0.2 to 30 ms
	github.com/olekukonko/cat v0.0.0-20250911104152-50322a0618f6 // indirect
	github.com/olekukonko/errors v1.2.0 // indirect; v1.3.0 links net/http, 1.5 MB
	github.com/olekukonko/ll v0.1.6 // indirect; v0.1.7 and later link go-json, 1 MB
	github.com/rivo/uniseg v0.2.0 // indirect; v0.4.7 has 300 KB more of tables
	golang.org/x/sys v0.47.0 // indirect; the last that Go 1.25 builds
)
