/* The `markdown` block: the common part of Markdown, built as elements. Raw HTML in it stays text. */

import { el } from "./dom.js";
import { emoji } from "./emoji.js";
import { link } from "./mrkdwn.js";

const SPAN = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|(?<![\w*])\*([^*\s][^*\n]*)\*|(?<!\w)_([^_\s][^_\n]*)_(?!\w)|~~([^~\n]+)~~|!?\[([^\]\n]*)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()]*[^\s<>().,;:!?])|:([a-z0-9_+'-]+):/g;

function spans(text) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const m of text.matchAll(SPAN)) {
    out.append(text.slice(at, m.index), span(m));
    at = m.index + m[0].length;
  }
  out.append(text.slice(at));
  return out;
}

function span([whole, code, bold, bold2, em, em2, strike, label, url, bare, short]) {
  if (code !== undefined) return el("code", {}, code);
  if (bold ?? bold2) return el("b", {}, spans(bold ?? bold2));
  if (em ?? em2) return el("em", {}, spans(em ?? em2));
  if (strike) return el("s", {}, spans(strike));
  if (url) return link(url, label || url);
  if (bare) return link(bare, bare);
  return emoji(short) ?? whole;
}

const RULES = [
  [/^```/, fence],
  [/^#{1,6} /, (lines) => heading(lines.shift())],
  [/^(-{3,}|\*{3,})\s*$/, (lines) => (lines.shift(), el("hr", { class: "b-divider" }))],
  [/^> ?/, (lines) => el("blockquote", {}, markdown(taken(lines, /^> ?/).map((l) => l.replace(/^> ?/, "")).join("\n")))],
  [/^\s*[-*+] /, (lines) => items("ul", taken(lines, /^\s*[-*+] /), /^\s*[-*+] /)],
  [/^\s*\d+[.)] /, (lines) => items("ol", taken(lines, /^\s*\d+[.)] /), /^\s*\d+[.)] /)],
  [/^\|.*\|\s*$/, (lines) => grid(taken(lines, /^\|.*\|\s*$/))],
];

/** A Markdown text as a fragment. */
export function markdown(text) {
  const out = document.createDocumentFragment();
  const lines = String(text ?? "").split("\n");
  while (lines.length) {
    const rule = RULES.find(([start]) => start.test(lines[0]));
    if (rule) out.append(rule[1](lines));
    else if (!lines[0].trim()) lines.shift();
    else out.append(paragraph(lines));
  }
  return out;
}

function paragraph(lines) {
  const node = el("p");
  do {
    if (node.lastChild) node.append(el("br"));
    node.append(spans(lines.shift()));
  } while (lines.length && lines[0].trim() && !RULES.some(([start]) => start.test(lines[0])));
  return node;
}

function taken(lines, start) {
  const out = [];
  while (lines.length && start.test(lines[0])) out.push(lines.shift());
  return out;
}

function fence(lines) {
  lines.shift();
  const end = lines.findIndex((l) => /^```\s*$/.test(l));
  const body = lines.splice(0, end < 0 ? lines.length : end);
  lines.shift();
  return el("pre", { class: "code", tabindex: 0 }, el("code", {}, body.join("\n")));
}

function heading(line) {
  return el("h4", { class: "b-header" }, spans(line.replace(/^#+ /, "")));
}

function items(tag, rows, mark) {
  return el(tag, { class: "rt-list" }, rows.map((r) => el("li", {}, spans(r.replace(mark, "")))));
}

function grid(rows) {
  const cells = rows.filter((r) => !/^[|\s:-]+$/.test(r)).map((r) => r.trim().slice(1, -1).split("|").map((c) => c.trim()));
  const [head, ...rest] = cells;
  return el("div", { class: "b-table", tabindex: 0, role: "region", aria: { label: "Table" } },
    el("table", {}, el("thead", {}, el("tr", {}, (head ?? []).map((c) => el("th", { scope: "col" }, spans(c))))),
      el("tbody", {}, rest.map((r) => el("tr", {}, r.map((c) => el("td", {}, spans(c))))))));
}
