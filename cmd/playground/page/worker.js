// The worker of the playground: it gets the program from the page and starts it. The program then listens to messages.
"use strict";

importScripts("wasm_exec.js");

onmessage = async ({ data: program }) => {
  const go = new Go();
  const instance = await WebAssembly.instantiate(program, go.importObject);
  await go.run(instance);
};
