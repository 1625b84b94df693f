// The worker of the playground: it starts the program, which then listens to messages.
"use strict";

importScripts("wasm_exec.js");

async function start() {
  const response = await fetch("layoutcalc.wasm.gz");
  if (!response.ok) throw new Error("layoutcalc.wasm.gz: " + response.status + " " + response.statusText);
  const program = response.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const type = { headers: { "Content-Type": "application/wasm" } };
  const { instance } = await WebAssembly.instantiateStreaming(new Response(program, type), go.importObject);
  await go.run(instance);
}

start().catch((fault) => postMessage({ fault: String(fault) }));
