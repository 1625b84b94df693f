//go:build js

package main

import "syscall/js"

// main answers the messages that the page sends to its worker, one after the other. It sends a message when it starts
// to listen. Answers are computed outside of the message handler, which must not wait.
func main() {
	calls := make(chan js.Value, 1)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		calls <- args[0].Get("data")
		return nil
	}))
	js.Global().Call("postMessage", nil)
	for call := range calls {
		a := answerTo(call.Get("line").String(), call.Get("input").String(), call.Get("columns").Int())
		js.Global().Call("postMessage", map[string]any{
			"code": a.code, "output": a.output, "svg": a.svg, "html": a.html,
		})
	}
}
