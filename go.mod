module layoutcalc

go 1.25.0

require (
	github.com/clipperhouse/displaywidth v0.11.0
	github.com/fatih/color v1.19.0
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/mattn/go-runewidth v0.0.19 // v0.0.20 and later make tables before main or at the first use, 0.2 to 30 ms
	github.com/olekukonko/tablewriter v0.0.5 // v1 brings five modules, for errors and logs among others, 600 KB of the binary
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.10 // v1.1.0 writes [=true|false] after each switch in the help
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/term v0.45.0 // the last that Go 1.25 builds
	pgregory.net/rapid v1.3.0
)

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-colorable v0.1.16 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	golang.org/x/sys v0.47.0 // indirect; the last that Go 1.25 builds
)

require (
	golang.org/x/image v0.44.0
	golang.org/x/text v0.40.0 // indirect
)
