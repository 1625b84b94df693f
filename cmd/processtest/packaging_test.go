package processtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v4"

	"layoutcalc/layout/layouttest"
)

// TestPreCommit runs pre-commit with the hooks of the project in a repository made for it. The program is built from
// the project's files. Its dependencies are in the cache already, so that nothing is fetched.
func TestPreCommit(t *testing.T) {
	t.Parallel()
	need(t, "pre-commit", "git", "go")
	prepare(t)
	project, repository := published(t, "v0.1.0"), t.TempDir()
	writeFiles(t, repository, map[string]string{
		".pre-commit-config.yaml": `
repos:
  - repo: ` + project + `
    rev: v0.1.0
    hooks:
      - id: layoutcalc
        args: [-o, plain]
      - id: layoutcalc-files
        args: [-o, plain]
        files: ^(models/.*\.json|rows\.jsonl)$
`,
		"bad.layoutcalc.yaml":                    configuration("[1, 1]"),
		"good.layoutcalc.json":                   `{"version": 1, "tensors": {"a": {"dtype": "f32", "sizes": [2, 3]}}}`,
		"weights/short.npy":                      "\x93NUMPY",
		"weights/model.safetensors.index.json":   "{}",
		"weights/model.safetensors.index.f.json": "{}",
		"triton/classify/config.pbtxt":           `nam: "classify"`,
		"weights/short.safetensors":              "{",
		"weights/short.gguf":                     "GGUF",
		"weights/short.onnx":                     "\x08\x07\x3a\xff\xff\x03",
		"data/model.onnx_data":                   "no model has it",
		"data/model.onnx_data_1":                 "nor this",
		"data/labels.txt":                        "of something else",
		"package.json":                           "{",
		"other.jsonl":                            "{",
		"notes.yaml":                             "tensors: [",
		"rows.jsonl":                             `{"DataType":"FLOAT32","Sizes":[2],"Strides":[0],"role":"output"}`,
		"models/gemm.json":                       `{"dispatchables": {`,
	})
	git(t, repository, "init", "-q")
	git(t, repository, "add", ".")
	c := exec.Command("pre-commit", "run", "--all-files", "--verbose", "--color=never")
	c.Dir = repository
	c.Env = append(os.Environ(), "PRE_COMMIT_HOME="+t.TempDir(), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOPROXY=off",
		"GOFLAGS=-trimpath", "CGO_ENABLED=0", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := c.CombinedOutput()
	if exitCode(t, err) != 1 {
		t.Fatalf("the hooks find nothing, or do not run: %v\n%s", err, out)
	}
	first, second, ok := strings.Cut(string(out), "hook id: layoutcalc-files")
	if !ok {
		t.Fatalf("the second hook does not run:\n%s", out)
	}
	paths := regexp.MustCompile(`(?m)^([^ :\n]+):(?:\d+:\d+:)? error: `)
	for _, hook := range []struct {
		out  string
		want string
	}{
		{first, "bad.layoutcalc.yaml triton/classify/config.pbtxt weights/model.safetensors.index.f.json " +
			"weights/model.safetensors.index.json weights/short.gguf weights/short.npy weights/short.onnx " +
			"weights/short.safetensors"},
		{second, "models/gemm.json rows.jsonl"},
	} {
		var got []string
		for _, m := range paths.FindAllStringSubmatch(hook.out, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if got := strings.Join(slices.Compact(got), " "); got != hook.want {
			t.Errorf("the hook has errors in %s, want %s:\n%s", got, hook.want, hook.out)
		}
	}
}

// TestActionsByCommit checks the security of the workflows, the action and the example of the documents: actions of
// others by commit, with the version for people; checkouts that leave no token; no rights that a workflow does not
// state; and a Go with its corrections.
func TestActionsByCommit(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	texts := map[string]string{"docs/ci.md": indented(t, string(read(t, "../../docs/ci.md")), "## GitHub")}
	for _, file := range append(files, "../../action.yml") {
		texts[file] = string(read(t, file))
	}
	uses := regexp.MustCompile(`(?m)^.*\buses: (.*)$`)
	byCommit := regexp.MustCompile(`^[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for file, text := range texts {
		for _, m := range uses.FindAllStringSubmatch(text, -1) {
			if m[1] != "./" && m[1] != "OWNER/layoutcalc@v0.1.0" && !byCommit.MatchString(m[1]) {
				t.Errorf("%s: %s is not named by commit and version", file, m[1])
			}
		}
		type step struct {
			Uses string
			With map[string]string
		}
		type job struct {
			Permissions map[string]string
			Steps       []step
		}
		var workflow struct {
			Permissions map[string]string
			Jobs        map[string]job
			Runs        job
		}
		unmarshal(t, []byte(text), &workflow)
		for name, job := range workflow.Jobs {
			if workflow.Permissions == nil && job.Permissions == nil {
				t.Errorf("%s: %s has all rights that the repository gives", file, name)
			}
			for _, s := range job.Steps {
				if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
					t.Errorf("%s: the checkout of %s leaves a token", file, name)
				}
			}
		}
		for _, s := range workflow.Runs.Steps {
			if strings.HasPrefix(s.Uses, "actions/setup-go@") && s.With["check-latest"] != "true" {
				t.Errorf("%s: Go may be without its corrections: %v", file, s.With)
			}
		}
	}
}

// An actionStep is a step of action.yml.
type actionStep struct {
	ID, If, Uses, Run string
	Env               map[string]string
}

// readAction returns the inputs and the steps of action.yml.
func readAction(t *testing.T) (action struct {
	Inputs map[string]any
	Runs   struct{ Steps []actionStep }
}) {
	t.Helper()
	unmarshal(t, read(t, "../../action.yml"), &action)
	return action
}

// run runs the script of a step in a directory, with values for the expressions in its environment. It returns the exit
// code and the output.
func (s actionStep) run(t *testing.T, dir string, values *strings.Replacer, env ...string) (code int, out string) {
	t.Helper()
	c := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", s.Run)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	for name, value := range s.Env {
		c.Env = append(c.Env, name+"="+values.Replace(value))
	}
	text, err := c.CombinedOutput()
	return exitCode(t, err), string(text)
}

// TestActionRelease runs the step of action.yml that downloads a release, and expects that the steps that build the
// program run only if there is none.
func TestActionRelease(t *testing.T) {
	t.Parallel()
	need(t, "bash", "curl", "sha256sum", "tar", "zip", "unzip")
	server := t.TempDir()
	const pack = "tar -czf layoutcalc_1.2.3_linux_amd64.tar.gz layoutcalc_1.2.3_linux_amd64\n" +
		"zip -qr layoutcalc_1.2.3_windows_arm64.zip layoutcalc_1.2.3_windows_arm64\n" +
		"printf changed >layoutcalc_1.2.3_darwin_arm64.tar.gz\n" +
		"sha256sum *.gz *.zip >checksums.txt\n" +
		"printf again >>layoutcalc_1.2.3_darwin_arm64.tar.gz\n"
	files := filepath.Join(server, "OWNER/layoutcalc/releases/download/v1.2.3")
	const script = "#!/bin/sh\necho the release\n"
	writeFiles(t, files, map[string]string{
		"layoutcalc_1.2.3_linux_amd64/layoutcalc":       script,
		"layoutcalc_1.2.3_windows_arm64/layoutcalc.exe": script, "layoutcalc_1.2.3_windows_arm64/layoutcalc": script,
	})
	if out, err := shell(files, "chmod +x */layoutcalc*\n"+pack); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var release, build []actionStep
	for _, step := range readAction(t).Runs.Steps {
		switch {
		case step.ID == "release":
			release = append(release, step)
		case step.If == "steps.release.outputs.found != 'true'":
			build = append(build, step)
		case step.ID != "check":
			t.Errorf("a step runs always: %v", step)
		}
	}
	if len(release) != 1 || len(build) != 2 || !strings.HasPrefix(build[0].Uses, "actions/setup-go@") {
		t.Fatalf("the steps are %v and %v", release, build)
	}
	for _, tt := range []struct {
		ref, system, arch string
		code              int
		says              string
		found             bool
	}{
		{"v1.2.3", "Linux", "X64", 0, "the release\n", true},
		{"v1.2.3", "Windows", "ARM64", 0, "the release\n", true},
		{"v1.2.3", "macOS", "ARM64", 1, "::error title=layoutcalc action::layoutcalc_1.2.3_darwin_arm64.tar.gz has",
			false},
		{"v1.2.3", "macOS", "X64", 0, "There is no release v1.2.3 for macOS X64", false},
		{"v1.2.4", "Linux", "X64", 0, "There is no release v1.2.4 for Linux X64", false},
		{"v1.2.3", "Linux", "RISCV64", 0, "", false},
		{"v1", "Linux", "X64", 0, "", false},
		{"main", "Linux", "X64", 0, "", false},
		{"0123456789abcdef0123456789abcdef01234567", "Linux", "X64", 0, "", false},
	} {
		temp := t.TempDir()
		output := filepath.Join(temp, "output")
		writeFiles(t, temp, map[string]string{"output": ""})
		values := strings.NewReplacer("${{ github.action_ref }}", tt.ref, "${{ github.server_url }}", "file://"+server,
			"${{ github.action_repository }}", "OWNER/layoutcalc", "${{ runner.os }}", tt.system, "${{ runner.arch }}",
			tt.arch)
		code, out := release[0].run(t, temp, values, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output)
		found := strings.Contains(string(read(t, output)), "found=true\n")
		_, err := os.Stat(filepath.Join(temp, "layoutcalc-action/layoutcalc"))
		if code != tt.code || !strings.Contains(out, tt.says) || found != tt.found || (err == nil) != tt.found {
			t.Errorf("%s on %s %s exits %d, found %t, %v:\n%s", tt.ref, tt.system, tt.arch, code, found, err, out)
		}
	}
}

// TestAction runs the steps of action.yml that are scripts, with GitHub's environment variables.
func TestAction(t *testing.T) {
	t.Parallel()
	need(t, "bash", "go")
	prepare(t)
	action := readAction(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temp, checkout := t.TempDir(), t.TempDir()
	writeFiles(t, checkout, map[string]string{
		"models/a b.layoutcalc.yaml": configuration("[1, 1]"),
		"good.layoutcalc.yaml":       configuration("[3, 1]"),
		"gap.layoutcalc.yaml":        configuration("[9, 1]"),
		"many.jsonl": strings.Repeat(`{"dtype": "f32", "sizes": [2, 3], "strides": [1, 1], "role": "output"}`+"\n",
			10_000),
	})
	const tag, hash = "v7.8.9", "0123456789abcdef0123456789abcdef01234567"
	for _, tt := range []struct {
		ref    string
		inputs string // after the paths: target, fail-on, baseline, exclude, ignore and sarif, each with = and ;
		paths  string
		want   int
		says   string
		sums   string // the content of the job's summary
	}{
		{tag, "", "good.layoutcalc.yaml", 0, "layoutcalc v7.8.9 (", "1 file, 1 descriptor: 0 errors"},
		{tag, "exclude=*.jsonl", ".", 1, "::error file=models/a b.layoutcalc.yaml,line=3,",
			"| error | models/a b.layoutcalc.yaml:3:"},
		{tag, "sarif=out.sarif", "models/a b.layoutcalc.yaml\ngood.layoutcalc.yaml\n", 1, "1 error",
			"| overlap-output |"},
		{tag, "target=none;fail-on=note", "gap.layoutcalc.yaml", 1, "layoutcalc gaps", "| gaps |"},
		{tag, "target=none", "gap.layoutcalc.yaml", 0, "1 file", "1 file"},
		{tag, "", "missing", 2, "missing", ""},
		{tag, "target=nonsense", "good.layoutcalc.yaml", 2, "nonsense", ""},
		{tag, "", "--help", 2, "1 error", "1 error"},
		{tag, "baseline=known.json;exclude=*.jsonl", ".", 0, "1 known", "1 known"},
		{tag, "baseline=none.json", ".", 2, "none.json", ""},
		{tag, "exclude=*.md\n*.jsonl\nmodels/\n", ".", 0, "2 excluded", "2 excluded"},
		{tag, "ignore=gaps\noverlap-*", ".", 0, "0 errors", "0 errors"},
		{tag, "exclude=*.jsonl;ignore=gasp\noverlap-*", ".", 0,
			"::warning title=layoutcalc action::layoutcalc: --ignore: unknown rule%0A  gasp%0A", "0 errors"},
		{tag, "", "many.jsonl", 1, "10000 errors", "10000 errors"},
		{hash, "", "good.layoutcalc.yaml", 0, "commit 0123456789ab)", "0 errors"},
		{"main -X x", "", "good.layoutcalc.yaml", 0, "layoutcalc devel (", "0 errors"},
	} {
		inputs := map[string]string{"paths": tt.paths}
		for input := range strings.SplitSeq(tt.inputs, ";") {
			name, value, _ := strings.Cut(input, "=")
			inputs[name] = value
		}
		pairs := []string{"${{ github.action_path }}", root, "${{ github.action_ref }}", tt.ref,
			"${{ github.server_url }}", "file:///no releases"}
		for name := range action.Inputs {
			pairs = append(pairs, "${{ inputs."+name+" }}", inputs[name])
		}
		values := strings.NewReplacer(pairs...)
		code, said := 0, ""
		summary := filepath.Join(t.TempDir(), "summary.md")
		if inputs["baseline"] == "known.json" { // the program has been built for the tests before
			c := exec.Command(filepath.Join(temp, "layoutcalc-action/layoutcalc"), "check", ".", "--exclude", "*.jsonl",
				"--write-baseline", "known.json")
			c.Dir = checkout
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		for _, step := range action.Runs.Steps {
			if code != 0 || step.Run == "" {
				continue
			}
			exit, out := step.run(t, checkout, values, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary,
				"GITHUB_OUTPUT="+filepath.Join(temp, "output"), "CGO_ENABLED=0")
			code, said = exit, said+out
		}
		if code != tt.want || !strings.Contains(said, tt.says) {
			t.Errorf("paths %q: exit %d, want %d, and %q in\n%s", tt.paths, code, tt.want, tt.says, said)
		}
		if outputs := string(read(t, filepath.Join(temp, "output"))); !strings.HasSuffix(outputs, "exit-code="+
			string(rune('0'+tt.want))+"\n") {
			t.Errorf("paths %q: the outputs are\n%s", tt.paths, outputs)
		}
		written, _ := os.ReadFile(summary)
		isLong := len(written) > 1<<20
		if isLong || (len(written) == 0) != (tt.sums == "") || !strings.Contains(string(written), tt.sums) {
			t.Errorf("paths %q, %s: the summary of the job is\n%s", tt.paths, tt.inputs, written)
		}
		if sarif := inputs["sarif"]; sarif != "" && !json.Valid(read(t, filepath.Join(checkout, sarif))) {
			t.Errorf("paths %q: the report is not JSON", tt.paths)
		}
	}
}

// TestJobs runs the scripts of docs/ci.md for a shell and for GitLab. The archive and the repository of the project are
// made for it, and replace the ones at HOST.
func TestJobs(t *testing.T) {
	t.Parallel()
	need(t, "bash", "curl", "sha256sum", "tar", "git", "go")
	prepare(t)
	document := string(read(t, "../../docs/ci.md"))
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	releases := filepath.Join(t.TempDir(), "layoutcalc/releases/download/v0.1.0")
	const archive = "layoutcalc_0.1.0_linux_amd64"
	writeFiles(t, releases, map[string]string{
		archive + "/layoutcalc": "#!/bin/sh\nLAYOUTCALC_TEST_MAIN=1 exec '" + executable + "' \"$@\"\n",
	})
	const pack = "chmod +x " + archive + "/layoutcalc\n" +
		"tar -czf " + archive + ".tar.gz " + archive + "\n" +
		"sha256sum *.gz >checksums.txt"
	if out, err := shell(releases, pack); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	host := "file://" + strings.TrimSuffix(releases, "/layoutcalc/releases/download/v0.1.0")
	block := strings.ReplaceAll(indented(t, document, "## A shell"), "https://HOST/OWNER", host)
	checkJob(t, block)
	writeFiles(t, releases, map[string]string{archive + ".tar.gz": "not what it was"})
	if out, err := shell(t.TempDir(), block); err == nil || !strings.Contains(string(out), "FAILED") {
		t.Errorf("an archive that was changed is used: %v\n%s", err, out)
	}

	var action struct{ Inputs map[string]any }
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	unmarshal(t, read(t, "../../action.yml"), &action)
	unmarshal(t, []byte(indented(t, document, "## GitHub")), &workflow)
	step := workflow.Jobs["layouts"].Steps[1]
	for input := range step.With {
		if action.Inputs[input] == nil || step.Uses != "OWNER/layoutcalc@v0.1.0" {
			t.Errorf("%s has no input %s", step.Uses, input)
		}
	}

	var jobs map[string]struct{ Script []string }
	unmarshal(t, []byte(indented(t, document, "## GitLab")), &jobs)
	bin := t.TempDir()
	script := "export PATH=" + bin + ":$PATH GOPROXY=off GOFLAGS=-trimpath\n" +
		strings.Join(jobs["layouts"].Script, "\n")
	checkJob(t, strings.NewReplacer(
		"https://HOST/OWNER/layoutcalc", "file://"+published(t, "v0.1.0"),
		"/tmp/layoutcalc", "../layoutcalc", "/usr/local/bin", bin).Replace(script))
	out, err := exec.Command(filepath.Join(bin, "layoutcalc"), "version", "-o", "json").Output()
	var version struct{ Version, Commit, Date string }
	if err != nil || json.Unmarshal(out, &version) != nil ||
		version.Version != "v0.1.0" || len(version.Commit) != 40 || version.Date != "2026-01-02T03:04:05Z" {
		t.Errorf("a build of a tag says %v, %s", err, out)
	}
}

// TestRelease compares the parts of a release with the project: the values that the linker sets are variables of the
// program, which the linker does not check, and the files of archives and packages exist. It supports only the
// goreleaser templates that the configuration uses.
func TestRelease(t *testing.T) {
	t.Parallel()
	need(t, "bash", "gzip", "go")
	prepare(t)
	type contents struct{ Src, Dst string }
	var config struct {
		Before struct{ Hooks []string }
		Builds []struct {
			Env, Goos, Goarch, Flags, Ldflags []string
		}
		Archives []struct{ Files []contents }
		Nfpms    []struct{ Contents []contents }
	}
	unmarshal(t, read(t, "../../.goreleaser.yaml"), &config)
	build, dir := config.Builds[0], t.TempDir()
	if n := len(build.Goos) * len(build.Goarch); n != 6 || !slices.Equal(build.Env, []string{"CGO_ENABLED=0"}) {
		t.Errorf("%d platforms, with %q", n, build.Env)
	}
	expand := strings.NewReplacer(
		"{{ .Version }}", "7.8.9", "{{ .FullCommit }}", "0123456789abcdef", "{{ .CommitDate }}", "2026-01-02T03:04:05Z",
		`{{ if isEnvSet "GITHUB_REPOSITORY" }}{{ .Env.GITHUB_SERVER_URL }}/{{ .Env.GITHUB_REPOSITORY }}{{ end }}`,
		"https://example.org/layoutcalc").Replace
	program := filepath.Join(dir, "layoutcalc")
	flags := []string{"build", "-o", program, "-ldflags", expand(strings.Join(build.Ldflags, " "))}
	c := exec.Command("go", append(append(flags, build.Flags...), ".")...)
	c.Dir, c.Env = "../..", append(os.Environ(), build.Env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, "version", "-o", "json").Output()
	var got struct{ Version, Commit, Date string }
	if err != nil || json.Unmarshal(out, &got) != nil || got.Version != "v7.8.9" || got.Commit != "0123456789abcdef" ||
		got.Date != "2026-01-02T03:04:05Z" {
		t.Errorf("the version is %s: %v", out, err)
	}
	out, _ = exec.Command(program, "check", "2x3", "--strides", "1,1", "--role", "output", "-o", "sarif").Output()
	if !strings.Contains(string(out), `"informationUri": "https://example.org/layoutcalc"`) {
		t.Errorf("the report does not name the page of the project:\n%s", out)
	}

	files := filepath.Join(dir, "files")
	hook := strings.Fields(expand(config.Before.Hooks[0]))
	c = exec.Command(hook[0], append(hook[1:], files)...)
	c.Dir = "../.."
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if pages, _ := filepath.Glob(files + "/man/*.1.gz"); len(pages) < 12 {
		t.Errorf("%d manual pages", len(pages))
	}
	if licences := string(read(t, filepath.Join(files, "THIRD-PARTY"))); strings.Count(licences, "Copyright") <
		strings.Count(licences, "\n== ") {
		t.Errorf("a library has no licence:\n%s", licences)
	}
	for _, file := range slices.Concat(config.Archives[0].Files, config.Nfpms[0].Contents) {
		path, isMade := strings.CutPrefix(file.Src, ".release")
		if path = filepath.Join(files, path); !isMade {
			path = filepath.Join("../..", file.Src)
		}
		if found, _ := filepath.Glob(path); len(found) == 0 {
			t.Errorf("%s is not there", file.Src)
		}
	}
}

// TestContainer checks the Dockerfile of a release against the configuration of goreleaser: the files that it copies
// are in the context of the build, and the program that it starts is one of them, and needs no libraries.
func TestContainer(t *testing.T) {
	t.Parallel()
	var config struct {
		Builds []struct{ Env, Goos, Goarch []string }
		Images []struct {
			Dockerfile string
			Platforms  []string
			Files      []string `yaml:"extra_files"`
		} `yaml:"dockers_v2"`
	}
	unmarshal(t, read(t, "../../.goreleaser.yaml"), &config)
	if len(config.Images) != 1 || !slices.Contains(config.Builds[0].Env, "CGO_ENABLED=0") {
		t.Fatalf("%d images, and a build with %q", len(config.Images), config.Builds[0].Env)
	}
	image := config.Images[0]
	for _, platform := range image.Platforms {
		system, arch, _ := strings.Cut(platform, "/")
		if !slices.Contains(config.Builds[0].Goos, system) || !slices.Contains(config.Builds[0].Goarch, arch) {
			t.Errorf("no program is built for %s", platform)
		}
	}
	context := append(slices.Clone(image.Files), "$TARGETPLATFORM/layoutcalc")
	copied, from, entry, user := map[string]bool{}, "", []string{}, ""
	for line := range strings.Lines(string(read(t, "../../"+image.Dockerfile))) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "#", "ARG", "WORKDIR":
		case "FROM":
			from = rest
		case "USER":
			user = rest
		case "COPY":
			source, to, _ := strings.Cut(rest, " ")
			if !slices.Contains(context, source) {
				t.Errorf("%s is not in the context of the build: %v", source, context)
			}
			copied[to+filepath.Base(source)] = true
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(rest), &entry); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		default:
			t.Errorf("%s: no such instruction is expected", line)
		}
	}
	if from != "scratch" || len(entry) != 1 || !copied[entry[0]] || user == "" || strings.HasPrefix(user, "0") {
		t.Errorf("from %q, user %q, it starts %q of %v", from, user, entry, copied)
	}
	var workflow struct {
		Jobs map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Run string }
		}
	}
	unmarshal(t, read(t, "../../.github/workflows/release.yml"), &workflow)
	release := workflow.Jobs["release"]
	login := slices.IndexFunc(release.Steps, func(s struct{ Run string }) bool {
		return strings.Contains(s.Run, "docker login ghcr.io ") && strings.Contains(s.Run, "docker buildx create --use")
	})
	pack := slices.IndexFunc(release.Steps, func(s struct{ Run string }) bool {
		return strings.Contains(s.Run, "goreleaser") && strings.Contains(s.Run, " release ")
	})
	if release.Permissions["packages"] != "write" || login < 0 || pack < login {
		t.Errorf("rights %v, login at step %d, upload at step %d", release.Permissions, login, pack)
	}
}

// checkJob runs a job in a checkout without errors, and in one with an error.
func checkJob(t *testing.T, script string) {
	t.Helper()
	for strides, want := range map[string]int{"[3, 1]": 0, "[1, 1]": 1} {
		checkout := filepath.Join(t.TempDir(), "checkout")
		text := configuration(strides)
		writeFiles(t, checkout, map[string]string{"layouts.yaml": text, "models/a.layoutcalc.yaml": text})
		out, err := shell(checkout, script)
		if got := exitCode(t, err); got != want {
			t.Errorf("the job exits %d, want %d:\n%s\n%s", got, want, script, out)
		}
	}
}

// configuration states a tensor of 2 x 3 elements with these strides, which an operator writes.
func configuration(strides string) string {
	return "version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3, strides: " + strides + ", role: output}\n"
}

// shell runs a script like a CI job: the first command that fails ends it.
func shell(dir, script string) ([]byte, error) {
	c := exec.Command("bash", "-e", "-c", script)
	c.Dir = dir
	return c.CombinedOutput()
}

// indented returns the first block of code after a heading, without its indent.
func indented(t *testing.T, document, heading string) string {
	t.Helper()
	_, section, ok := strings.Cut(document, heading+"\n")
	var b strings.Builder
	for line := range strings.Lines(section) {
		code, isCode := strings.CutPrefix(line, "    ")
		switch {
		case isCode:
			b.WriteString(code)
		case b.Len() > 0 && line != "\n":
			return b.String()
		}
	}
	if !ok || b.Len() == 0 {
		t.Fatalf("no code after %q", heading)
	}
	return b.String()
}

// published returns a repository with a commit of the project's present files, tests and documents aside, and that tag.
func published(t *testing.T, tag string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "main.go", ".pre-commit-hooks.yaml"} {
		writeFiles(t, dir, map[string]string{name: string(read(t, filepath.Join("../..", name)))})
	}
	for _, name := range []string{"cmd", "docs/rules", "layout", "render"} {
		from := os.DirFS(filepath.Join("../..", name))
		err := fs.WalkDir(from, ".", func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && e.Name() == "testdata":
				return fs.SkipDir
			case e.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			data, err := fs.ReadFile(from, path)
			writeFiles(t, filepath.Join(dir, name), map[string]string{path: string(data)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "the project")
	git(t, dir, "tag", tag)
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// need skips a test where a program is missing. On Windows bash may be that of another system.
func need(t *testing.T, programs ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("these are tested on other systems")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); errors.Is(err, exec.ErrNotFound) {
			t.Skip(err)
		}
	}
}

// compiled compiles the program as all that is published does.
var compiled = sync.OnceValue(func() error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", os.DevNull, "layoutcalc")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return err
})

// prepare compiles the program once for all tests that build it at the same time: they find it in the cache.
func prepare(t *testing.T) {
	t.Helper()
	layouttest.SkipUnlessAll(t, "the program is compiled")
	if err := compiled(); err != nil {
		t.Fatal(err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func unmarshal(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// writeFiles makes files and their directories.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
