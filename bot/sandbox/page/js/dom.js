/* Builds elements. A string child becomes a text node and nothing else: what a message says is
   data, so this page has no way to turn it into markup. */

const NS = "http://www.w3.org/2000/svg";

/** el("button", {class: "x", on: {click: f}, aria: {label: "…"}, data: {ts}}, "text", node, null) */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) setProp(node, key, value);
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

function setProp(node, key, value) {
  if (value == null || value === false) return;
  if (key === "on") for (const [name, f] of Object.entries(value)) node.addEventListener(name, f);
  else if (key === "aria") for (const [name, v] of Object.entries(value)) setAria(node, name, v);
  else if (key === "data") for (const [name, v] of Object.entries(value)) setData(node, name, v);
  else if (key === "style") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
  else node.setAttribute(key === "class" ? "class" : key, value === true ? "" : String(value));
}

function setAria(node, name, value) {
  if (value != null) node.setAttribute(`aria-${name}`, String(value));
}

function setData(node, name, value) {
  if (value != null) node.dataset[name] = String(value);
}

const ICONS = {
  app: ["M5 8h14v10H5z", "M12 8V4", "M9 12v2", "M15 12v2"],
  arrowDown: ["M12 5v14", "M6 13l6 6 6-6"],
  back: ["M15 5l-7 7 7 7"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  chevron: ["M7 10l5 5 5-5"],
  clock: ["M12 4a8 8 0 100 16 8 8 0 000-16z", "M12 8v4l3 2"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  dots: ["M6 12h.01", "M12 12h.01", "M18 12h.01"],
  eye: ["M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z", "M12 10a2 2 0 100 4 2 2 0 000-4z"],
  hash: ["M9.5 4L7.5 20", "M16.5 4l-2 16", "M5 9h15", "M4 15h15"],
  home: ["M4 11l8-7 8 7", "M6 10v10h12V10", "M10 20v-5h4v5"],
  image: ["M4 5h16v14H4z", "M4 16l5-5 4 4 3-3 4 4"],
  lock: ["M6 11h12v9H6z", "M8.5 11V8a3.5 3.5 0 017 0v3"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  moon: ["M19 14.5A8 8 0 019.5 5 8 8 0 1019 14.5z"],
  reply: ["M4 5h16v11H12l-5 4v-4H4z"],
  send: ["M4 12l16-8-6 16-3-6.5z", "M11 13.5L20 4"],
  warn: ["M12 4l9 16H3z", "M12 10v4", "M12 17h.01"],
};

/** A stroke icon; silent for screen readers, so its button carries the label. */
export function icon(name, extra = "") {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon ${name} ${extra}`.trim());
  svg.setAttribute("aria-hidden", "true");
  for (const d of ICONS[name] ?? ICONS.app) {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** A button that shows only an icon: its name is both the tooltip and what is read out. */
export function iconButton(name, label, onClick, props = {}) {
  const { class: extra = "", ...rest } = props;
  return el(
    "button",
    { type: "button", class: `icon-button ${extra}`.trim(), title: label, aria: { label }, on: { click: onClick }, ...rest },
    icon(name),
  );
}

/** Replaces a node's children in one go. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

/** Runs a function after the calls have stopped coming for `ms` milliseconds. */
export function later(ms, f) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
}

let serial = 0;
/** An id no other element on the page has. */
export function uid(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}
