// The page of a picture: it shows which index, offset and byte belong together, and walks the axes outside of grids.
"use strict";

const svg = document.querySelector("svg");
const status = document.getElementById("status");
const overlay = document.createElementNS(svg.namespaceURI, "g");
svg.append(overlay);

const panels = [...svg.querySelectorAll(".panel")].map(readPanel);
const strips = [...svg.querySelectorAll(".strip")].map((group) => ({ group, bits: BigInt(group.dataset.bits) }));
const boards = [...svg.querySelectorAll(".board")];
const together = document.body.dataset.together === "yes"; // an index means the same element in all panels

let cells = []; // of all parts, those of hidden grids left out
let byOffset = new Map(); // of a storage
let byIndex = new Map(); // of a panel
let current = null;
let pinned = false;

// readPanel reads the layout of a panel: digits are pairs of an extent and a stride, the outermost first.
function readPanel(group, number) {
  const data = group.dataset;
  const axes = data.digits === "" ? [] : data.digits.split(";").map((axis) =>
    axis.split(",").map((digit) => digit.split("x").map(BigInt)));
  return {
    group, number, axes,
    strip: Number(data.strip),
    names: (data.names === "" ? [] : data.names.split(",")).map((n) => (data.named === "yes" ? n : "dim " + n)),
    named: data.named === "yes",
    sizes: data.sizes === "" ? [] : data.sizes.split(",").map(BigInt),
    labels: data.labels === "" ? [] : data.labels.split(",").map(Number), // the axes in texts
    base: BigInt(data.base),
    swizzles: (data.swizzle || "").split(";").filter(Boolean).map((s) => s.split(",").map(BigInt)),
    own: data.own === "yes",
    show: data.show,
    color: data.color.split(" "),
    grids: [...group.querySelectorAll(".grid")],
  };
}

// termsOf returns a pair for each digit of each axis: its value in an index, and its stride.
function termsOf(panel, index) {
  return panel.axes.flatMap((digits, axis) => {
    const terms = [];
    let rest = BigInt(index[axis]);
    for (let k = digits.length - 1; k >= 0; k--) {
      const [extent, stride] = digits[k];
      terms.unshift([k > 0 ? rest % extent : rest, stride]);
      rest = k > 0 ? rest / extent : 0n;
    }
    return terms;
  });
}

// sumOf returns the base and all terms of an index.
function sumOf(panel, index) {
  return termsOf(panel, index).reduce((sum, [value, stride]) => sum + value * stride, panel.base);
}

// offsetOf returns the offset of an index: the sum, with bits exchanged by the swizzles.
function offsetOf(panel, index) {
  let offset = sumOf(panel, index);
  for (const [bits, base, shift] of panel.swizzles) {
    const mask = (1n << bits) - 1n;
    offset ^= shift < 0n ? (offset << -shift) & (mask << (base - shift)) : (offset >> shift) & (mask << base);
  }
  return offset;
}

// formula says why an element is where it is: 0×48 + 2×1 + 1×12 + 3×3 = 23.
function formula(panel, index, offset) {
  const terms = termsOf(panel, index).map(([value, stride]) => value + "×" + stride);
  if (panel.base !== 0n || terms.length === 0) terms.unshift(panel.base);
  const sum = String(sumOf(panel, index));
  return terms.join(" + ") + " = " + sum + (sum === offset ? "" : ", swizzled " + offset);
}

// tintOf returns the class of the colour of an element.
function tintOf(panel, index, offset) {
  const [by, ...numbers] = panel.color;
  const wrapped = (n, m) => ((n % m) + m) % m;
  let tint = -1n;
  if (by === "one") {
    tint = 0n;
  } else if (by === "line") {
    const line = BigInt(numbers[0]);
    tint = wrapped((offset - wrapped(offset, line)) / line, 8n);
  } else if (panel.own && by === "axis") {
    tint = BigInt(index[Number(numbers[0])]) % 8n;
  } else if (panel.own && by === "block") {
    tint = index.reduce((sum, v, i) => sum + (BigInt(v) / BigInt(numbers[i]) % 8n) * BigInt(2 * i + 1), 0n) % 8n;
  }
  return tint < 0n ? "n" : "abcdefgh"[Number(tint)];
}

// collect lists the cells that are shown, and finds them by index and by offset.
function collect() {
  cells = [];
  byOffset = new Map();
  byIndex = new Map();
  const add = (map, key, cell) => {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(cell);
  };
  const take = (group, panel, strip, shift) => {
    for (const rect of group.querySelectorAll("rect[data-o]")) {
      const cell = {
        rect, group, panel, strip, index: rect.dataset.i, offset: rect.dataset.o, together: rect.dataset.g,
        words: rect.dataset.w,
        x: Number(rect.getAttribute("x")) + shift.x, y: Number(rect.getAttribute("y")) + shift.y,
        width: Number(rect.getAttribute("width")), height: Number(rect.getAttribute("height")),
      };
      rect.cell = cell;
      cells.push(cell);
      add(byOffset, strip + " " + cell.offset, cell);
      if (panel !== null) add(byIndex, panel.number + " " + cell.index, cell);
    }
  };
  for (const panel of panels) {
    for (const nest of panel.group.querySelectorAll(".structure")) take(nest, panel, panel.strip, { x: 0, y: 0 });
    for (const grid of panel.grids) {
      if (grid.style.display !== "none") take(grid, panel, panel.strip, grid.shift || { x: 0, y: 0 });
    }
  }
  strips.forEach((strip, number) => take(strip.group, null, number, { x: 0, y: 0 }));
  for (const board of boards) take(board, null, "board", { x: 0, y: 0 });
}

// related returns the cells of the same element in all parts, of a board those of the same thread, lane, chunk or tile.
function related(cell) {
  if (cell.words !== undefined) {
    return new Set(cell.together === undefined ? [cell] : cells.filter((c) => c.together === cell.together));
  }
  const found = new Set([cell]);
  const atOffset = (strip, offset) => (byOffset.get(strip + " " + offset) || []).forEach((c) => found.add(c));
  if (cell.panel === null || !together) atOffset(cell.strip, cell.offset);
  else for (const c of byOffset.get(cell.strip + " " + cell.offset) || []) if (c.panel === null) found.add(c);
  if (together) {
    for (const c of [...found]) {
      if (c.panel === null) continue;
      for (const other of panels) {
        for (const twin of byIndex.get(other.number + " " + c.index) || []) {
          found.add(twin);
          for (const d of byOffset.get(twin.strip + " " + twin.offset) || []) if (d.panel === null) found.add(d);
        }
      }
    }
  }
  return found;
}

// byteOf says in which byte an offset is.
function byteOf(strip, offset) {
  if (strips[strip].bits === 0n) return "?"; // elements of an unknown type
  const bits = BigInt(offset) * strips[strip].bits;
  const size = bits < 0n ? -bits : bits;
  const fraction = String(size % 8n * 125n).replace(/0+$/, "");
  return (bits < 0n ? "-" : "") + size / 8n + (size % 8n > 0n ? "." + fraction : "");
}

function listOf(index) {
  return index === "" ? [] : index.split(",");
}

function indexText(panel, index) {
  const list = listOf(index);
  return panel.named ? list.map((v, i) => panel.names[i] + "=" + v).join(", ") : "[" + list.join(", ") + "]";
}

// show outlines a cell and its relatives, and says what they are.
function show(cell) {
  current = cell;
  overlay.replaceChildren();
  if (cell === null) {
    status.textContent = status.dataset.idle;
    return;
  }
  for (const c of related(cell)) {
    const rect = document.createElementNS(svg.namespaceURI, "rect");
    for (const name of ["x", "y", "width", "height"]) rect.setAttribute(name, c[name]);
    rect.setAttribute("class", c === cell ? "here" : "twin");
    overlay.append(rect);
  }
  const panel = cell.panel || panels.find((p) => p.strip === cell.strip) || { named: false };
  let where = cell.words;
  if (where === undefined) {
    const known = cell.index !== undefined;
    where = "offset " + (known ? formula(panel, listOf(cell.index), cell.offset) : cell.offset) +
      " (byte " + byteOf(cell.strip, cell.offset) + ")";
  }
  status.textContent = (cell.index === undefined ? "no element" : "index " + indexText(panel, cell.index)) + " ↔ " + where +
    (pinned ? ", pinned" : "");
}

// reveal scrolls to the current cell.
function reveal() {
  if (current !== null) current.rect.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// step returns the next cell in a direction: in the same row or column if there is one, or else the nearest.
function step(from, dx, dy) {
  let best = null;
  let least = Infinity;
  for (const c of cells) {
    const along = dx !== 0 ? (c.x - from.x) * dx : (c.y - from.y) * dy;
    const aside = Math.abs(dx !== 0 ? c.y - from.y : c.x + c.width / 2 - from.x - from.width / 2);
    if (along <= 0) continue;
    const cost = along + 4 * aside + (c.group === from.group ? 0 : 1e4);
    if (cost < least) [best, least] = [c, cost];
  }
  return best || from;
}

svg.addEventListener("mouseover", (event) => {
  if (!pinned && event.target.cell) show(event.target.cell);
});
svg.addEventListener("mouseleave", () => {
  if (!pinned) show(null);
});
svg.addEventListener("click", (event) => {
  pinned = Boolean(event.target.cell) && !(pinned && event.target.cell === current);
  show(event.target.cell || null);
});
svg.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (steps[event.key]) {
    show(current === null ? cells[0] || null : step(current, ...steps[event.key]));
    reveal();
  } else if (event.key === "Enter" || event.key === " ") {
    pinned = current !== null && !pinned;
    show(current);
  } else if (event.key === "Escape") {
    pinned = false;
    show(null);
  } else {
    return;
  }
  event.preventDefault();
});

// walk shows the grid of an index of the outer axes alone, in the place of the first grid. One that is not drawn takes
// the cells of the first grid.
function walk(panel, at) {
  const key = (grid) => grid.dataset.outer;
  restore(panel);
  const outer = key(panel.grids[0]).split(",").map((v, i) => (i in at ? String(at[i]) : v));
  let grid = panel.grids.find((g) => key(g) === outer.join(","));
  if (grid === undefined) {
    grid = panel.grids[0];
    relabel(panel, grid, outer, at);
  }
  const place = (g) => g.querySelector("rect[data-o]");
  const [first, here] = [place(panel.grids[0]), place(grid)];
  grid.shift = {
    x: first.getAttribute("x") - here.getAttribute("x"), y: first.getAttribute("y") - here.getAttribute("y"),
  };
  grid.setAttribute("transform", `translate(${grid.shift.x},${grid.shift.y})`);
  for (const g of panel.grids) g.style.display = g === grid ? "" : "none";
  for (const arrow of panel.group.querySelectorAll(":scope > path")) arrow.style.display = "none"; // to the next grid
}

// restore shows the grids of a panel as they were drawn.
function restore(panel) {
  for (const grid of panel.grids) {
    if (grid.drawn !== undefined) grid.innerHTML = grid.drawn;
    grid.style.display = "";
    grid.removeAttribute("transform");
    grid.shift = undefined;
  }
  for (const arrow of panel.group.querySelectorAll(":scope > path")) arrow.style.display = "";
}

// relabel gives the cells of a grid other indices of the outer axes.
function relabel(panel, grid, outer, at) {
  if (grid.drawn === undefined) grid.drawn = grid.innerHTML;
  for (const rect of grid.querySelectorAll("rect:not([data-o])")) if (rect.classList.contains("q")) rect.remove();
  const caption = grid.querySelector(".caption");
  if (caption !== null) {
    const inner = panel.group.dataset.inner.split(",").map(Number);
    caption.textContent = panel.labels.filter((i) => !inner.includes(i)).map((i) => panel.names[i] + "=" + outer[i]).join(", ");
  }
  for (const rect of grid.querySelectorAll("rect[data-i]")) {
    const index = rect.dataset.i.split(",").map((v, i) => (i in at ? String(at[i]) : v));
    const offset = offsetOf(panel, index);
    rect.dataset.i = index.join(",");
    rect.dataset.o = String(offset);
    rect.setAttribute("class", tintOf(panel, index, offset) + (rect.classList.contains("s") ? " s" : ""));
    const text = rect.nextElementSibling;
    if (text !== null && text.tagName === "text") {
      text.textContent = { offset: String(offset), index: panel.labels.map((i) => index[i]).join(",") }[panel.show] || "";
      text.setAttribute("class", "");
      const room = Number(rect.getAttribute("width")) - 4;
      if (text.textContent.length * 7 > room) { // a larger offset than those that were drawn
        text.setAttribute("textLength", room);
        text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    }
  }
}

for (const set of document.querySelectorAll("fieldset")) {
  const numbers = set.dataset.panels.split(",").map(Number);
  const sliders = [...set.querySelectorAll("input")];
  const moved = () => {
    const at = {};
    for (const slider of sliders) {
      at[slider.dataset.axis] = slider.value;
      slider.nextElementSibling.textContent = slider.value;
    }
    for (const n of numbers) walk(panels[n], at);
    pinned = false;
    collect();
    show(null);
  };
  for (const slider of sliders) slider.addEventListener("input", moved);
  set.querySelector("button").addEventListener("click", () => {
    for (const n of numbers) restore(panels[n]);
    for (const slider of sliders) {
      slider.value = slider.min;
      slider.nextElementSibling.textContent = "all";
    }
    pinned = false;
    collect();
    show(null);
  });
}

// indexOf returns the index at an offset, or null: digits are taken from the largest stride to the smallest.
function indexOf(panel, offset) {
  const digits = panel.axes.flatMap((list, axis) => {
    let weight = 1n;
    return [...list].reverse().map(([extent, stride]) => {
      const digit = { axis, extent, stride, weight };
      weight *= extent;
      return digit;
    });
  }).sort((a, b) => (a.stride < b.stride ? 1 : a.stride > b.stride ? -1 : 0));
  const index = panel.sizes.map(() => 0n);
  let rest = offset - panel.base;
  for (const d of digits) {
    if (d.stride <= 0n) continue;
    const n = rest / d.stride < d.extent - 1n ? rest / d.stride : d.extent - 1n;
    index[d.axis] += n * d.weight;
    rest -= n * d.stride;
  }
  const fits = rest >= 0n && index.every((v, i) => v >= 0n && v < panel.sizes[i]) && offsetOf(panel, index) === offset;
  return fits ? index.map(String) : null;
}

// typedIndex reads an index that was typed: C=2,H=1 by names, 0,2,1 for all axes, or for those of size above 1.
function typedIndex(panel, text) {
  const words = text.replace(/^[[(]|[\])]$/g, "").split(/[\s,]+/).filter(Boolean);
  const axes = words.length === panel.sizes.length ? panel.sizes.map((_, i) => i) : panel.labels;
  const index = panel.sizes.map(() => "0");
  const good = words.every((word, i) => {
    const [name, value] = word.includes("=") ? word.split("=") : [null, word];
    const axis = name === null ? axes[i] : panel.names.findIndex((n) => n.toUpperCase() === name.toUpperCase());
    if (axis === undefined || axis < 0 || !/^\d+$/.test(value) || BigInt(value) >= panel.sizes[axis]) return false;
    index[axis] = String(BigInt(value));
    return true;
  });
  return good && (text.includes("=") || words.length === axes.length) ? index : null;
}

// findOnBoard shows the first cell of an index, or of an offset, that was typed.
function findOnBoard(text) {
  const words = text.replace(/[^0-9]+/g, " ").trim().split(" ");
  const isIndex = words.length > 1 || !cells.some((c) => c.offset === text);
  const cell = cells.find((c) => (isIndex ? c.index === words.join(",") : c.offset === text)) || null;
  pinned = cell !== null;
  show(cell);
  reveal();
  if (cell === null) status.textContent = text + " is not drawn";
}

// find shows the element at an index or an offset that was typed, in a grid that is not drawn too.
function find(text) {
  const panel = panels[0];
  if (panel === undefined) {
    findOnBoard(text);
    return;
  }
  const isOffset = /^-?\d+$/.test(text);
  const index = isOffset ? indexOf(panel, BigInt(text)) : typedIndex(panel, text);
  const drawn = () => (isOffset && byOffset.get(panel.strip + " " + text) || [])[0] ||
    (index !== null && byIndex.get(panel.number + " " + index.join(","))?.[0]) || null;
  let cell = drawn();
  if (cell === null && index !== null) {
    const set = document.querySelector("fieldset");
    for (const slider of set === null ? [] : set.querySelectorAll("input")) slider.value = index[slider.dataset.axis];
    if (set !== null) set.querySelector("input").dispatchEvent(new Event("input"));
    cell = drawn();
  }
  pinned = cell !== null;
  show(cell);
  reveal();
  if (cell !== null) return;
  if (index !== null) {
    const offset = String(offsetOf(panel, index));
    status.textContent = "index " + indexText(panel, index.join(",")) + " ↔ offset " + formula(panel, index, offset) +
      " (byte " + byteOf(panel.strip, offset) + "), not drawn";
  } else {
    status.textContent = text + (isOffset ? " is no offset of an element that is drawn" : " is no index of " + panel.sizes.join("x"));
  }
}

document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  find(document.getElementById("where").value.trim());
});

// save has the browser save data as a file.
function save(data, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = "layout" + ending;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// still returns the picture as it was drawn, or as it is, without outlines of the page.
function still() {
  const copy = svg.cloneNode(true);
  copy.lastElementChild.remove();
  copy.removeAttribute("tabindex");
  return copy;
}

document.getElementById("svg").addEventListener("click", () => {
  save(new Blob([new XMLSerializer().serializeToString(still()) + "\n"], { type: "image/svg+xml" }), ".svg");
});

// paint draws the elements of the picture on a canvas: nothing is loaded.
function paint(context) {
  const colors = getComputedStyle(svg.querySelector("#hatch path")).stroke;
  const draw = (element) => {
    const style = getComputedStyle(element);
    const number = (name) => Number(element.getAttribute(name));
    if (element === overlay || style.display === "none" || element.tagName === "defs") return;
    context.save();
    context.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map(parseFloat));
    [context.strokeStyle, context.lineWidth] = [style.stroke, parseFloat(style.strokeWidth)];
    const shift = /translate\((.*),(.*)\)/.exec(element.getAttribute("transform") || "");
    if (shift !== null) context.translate(Number(shift[1]), Number(shift[2]));
    if (element.tagName === "g" || element === svg) {
      for (const child of element.children) draw(child);
    } else if (element.tagName === "rect") {
      const box = [number("x"), number("y"), number("width"), number("height")];
      if (style.fill.startsWith("url")) {
        paintHatch(context, box, colors);
      } else if (style.fill !== "none") {
        [context.fillStyle, context.globalAlpha] = [style.fill, style.fillOpacity];
        context.fillRect(...box);
        context.globalAlpha = 1;
      }
      if (style.stroke !== "none") context.strokeRect(...box);
    } else if (element.tagName === "path") {
      paintArrow(context, new Path2D(element.getAttribute("d")), element);
    } else if (element.tagName === "text") {
      context.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
      context.textAlign = { start: "left", end: "right" }[style.textAnchor] || "center";
      context.fillStyle = style.fill;
      context.fillText(element.textContent, number("x"), number("y"), number("textLength") || undefined);
    }
    context.restore();
  };
  draw(svg);
}

// paintHatch draws the lines of padding: their pixels have a sum of x and y that is a multiple of 6.
function paintHatch(context, [x, y, width, height], color) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.setLineDash([]);
  [context.strokeStyle, context.lineWidth] = [color, 1];
  for (let sum = Math.ceil((x + y) / 6) * 6; sum < x + y + width + height; sum += 6) {
    context.beginPath();
    context.moveTo(sum - y + 1, y - 1);
    context.lineTo(sum - y - height - 1, y + height + 1);
    context.stroke();
  }
  context.restore();
}

// paintArrow draws a path of lines with its head: 6 long, with its point 1 behind the end.
function paintArrow(context, path, element) {
  context.stroke(path);
  const points = element.getAttribute("d").split(/[ML]/).filter(Boolean).map((p) => p.split(" ").map(Number));
  const [[a, b], [x, y]] = points.slice(-2);
  context.translate(x, y);
  context.rotate(Math.atan2(y - b, x - a));
  context.fillStyle = context.strokeStyle;
  context.fill(new Path2D("M-5 -3L1 0L-5 3Z"));
}

document.getElementById("png").addEventListener("click", () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * svg.width.baseVal.value, 2 * svg.height.baseVal.value];
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  paint(context);
  canvas.toBlob((data) => save(data, ".png"));
});

document.getElementById("copy")?.addEventListener("click", async () => {
  const command = document.getElementById("command");
  try {
    await navigator.clipboard.writeText(command.textContent);
    status.textContent = "the command is in the clipboard";
  } catch {
    getSelection().selectAllChildren(command);
    status.textContent = "the command is selected: copy it with the keyboard";
  }
});

svg.setAttribute("tabindex", "0");
svg.setAttribute("role", "application");
collect();
show(null);
