// The page of the playground: it sends command lines to the program in the worker, and shows the answers.
"use strict";

const byId = (id) => document.getElementById(id);
const [line, input, state, output] = ["line", "input", "state", "output"].map(byId);

let worker = null;
let ready = false; // the worker listens
let busy = false; // it works on an answer
let wanted = null; // the last call, which may still wait for the worker
let links = []; // of the present picture
let page = ""; // of the present picture

// load fetches and compiles the program, once for all workers.
async function load() {
  const response = await fetch("layoutcalc.wasm.gz");
  if (!response.ok) throw new Error("layoutcalc.wasm.gz: " + response.status + " " + response.statusText);
  const program = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(program, { headers: { "Content-Type": "application/wasm" } }));
}

const program = load();
program.catch((fault) => {
  state.textContent = "The program cannot be loaded: " + fault;
});

// start starts a worker. It takes the place of one that is busy with an older call.
function start() {
  worker?.terminate();
  worker = new Worker("worker.js");
  ready = busy = false;
  worker.onmessage = ({ data }) => {
    if (ready) {
      busy = false;
      show(data);
    } else {
      ready = true;
      send();
    }
  };
  worker.onerror = () => {
    state.textContent = "The program has stopped. Load the page again.";
  };
  const started = worker;
  program.then((module) => started.postMessage(module), () => {});
}

// send sends the last call to the worker, or keeps it until the worker listens.
function send() {
  if (busy) start();
  if (!ready || !wanted) return;
  busy = true;
  state.textContent = "The program is working.";
  worker.postMessage(wanted);
}

// columns returns the width of the output in characters.
function columns() {
  const probe = output.appendChild(document.createElement("span"));
  probe.textContent = "0".repeat(100);
  const style = getComputedStyle(output);
  const width = output.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const n = Math.floor(width / (probe.getBoundingClientRect().width / 100));
  probe.remove();
  return Math.min(Math.max(n, 20), 160);
}

// answer asks for the answer to the line in the address of the page.
function answer() {
  const call = new URLSearchParams(location.hash.slice(1));
  line.value = call.get("line") ?? document.querySelector("#examples a").textContent;
  input.value = call.get("input") ?? "";
  if (input.value) byId("more").open = true;
  wanted = { line: line.value, input: input.value, columns: columns() };
  send();
}

// address returns the part of an address that holds a line and its input.
function address(line, input) {
  const call = new URLSearchParams({ line });
  if (input) call.set("input", input);
  return "#" + call;
}

// show shows an answer.
function show({ code, output: text, svg, html }) {
  const meaning = ["", ": the answer is no", ": the line cannot be answered", ": a fault"][code] ?? "";
  state.textContent = "Exit code " + code + meaning + ".";
  output.replaceChildren(...colored(text));
  links.forEach((link) => URL.revokeObjectURL(link));
  links = [];
  byId("picture").hidden = !svg;
  if (svg) showPicture(svg, html);
  performance.mark("answer");
}

// showPicture shows a picture, with links to save it.
function showPicture(svg, html) {
  const link = (text, type) => {
    links.push(URL.createObjectURL(new Blob([text], { type })));
    return links[links.length - 1];
  };
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
  byId("svg").src = byId("save-svg").href = link(svg, "image/svg+xml");
  byId("svg").alt = ["title", "desc"].map((name) => drawn.querySelector(name)?.textContent).join(". ");
  byId("save-html").href = link(html, "text/html");
  page = html;
  if (/\s--html\b/.test(line.value)) byId("page").open = true;
  showPage();
}

// showPage shows the page of the picture, if its part of the playground is open.
function showPage() {
  if (byId("page").open) byId("frame").srcdoc = page;
}

// colored returns the nodes of a text with the escape sequences of a terminal: each code of a colour is a class.
function colored(text) {
  return text.split(/\x1b\[([0-9;]*)m/).reduce((nodes, part, i, parts) => {
    if (i % 2 === 0 && part) {
      const span = document.createElement("span");
      span.className = (parts[i - 1] ?? "").split(";").filter((code) => code > 0).map((code) => "c" + code).join(" ");
      span.textContent = part;
      nodes.push(span);
    }
    return nodes;
  }, []);
}

byId("call").addEventListener("submit", (event) => {
  event.preventDefault();
  const next = address(line.value, input.value);
  if (next === location.hash) answer();
  else location.hash = next;
});

for (const example of document.querySelectorAll("#examples a")) {
  example.href = address(example.textContent, example.dataset.input);
}

byId("page").addEventListener("toggle", showPage);
addEventListener("hashchange", answer);
addEventListener("resize", () => {
  if (wanted && wanted.columns !== columns()) {
    wanted.columns = columns();
    send();
  }
});

start();
answer();
