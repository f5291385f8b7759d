/* Tables: the plain one with column settings, and the data table with a caption and a head. */

import { el } from "./dom.js";
import { richText } from "./richtext.js";

function cell(item, names) {
  if (item?.type === "rich_text") return richText(item.elements, names);
  return String(item?.text ?? item?.value ?? "");
}

function row(cells, tag, settings, names) {
  return el("tr", {}, cells.map((item, i) => {
    const look = settings[i] ?? {};
    const right = look.align ?? (item?.type === "raw_number" ? "right" : "left");
    return el(tag, { class: `${right} ${look.is_wrapped ? "wrap" : ""}`, scope: tag === "th" ? "col" : null }, cell(item, names));
  }));
}

function frame(rows, settings, names, caption) {
  const [head, ...rest] = rows;
  // a table wider than the message scrolls by itself, so it has to be reachable by keyboard
  return el("div", { class: "b-table", tabindex: 0, role: "region", aria: { label: caption || "Table" } },
    el("table", {}, caption && el("caption", {}, caption),
      el("thead", {}, head && row(head, "th", settings, names)),
      el("tbody", {}, rest.map((r) => row(r, "td", settings, names)))));
}

export function table(block, names) {
  return frame(block.rows ?? [], block.column_settings ?? [], names, "");
}

export function dataTable(block, names) {
  const caption = typeof block.caption === "string" ? block.caption : block.caption?.text ?? "";
  return frame(block.rows ?? [], block.column_settings ?? [], names, caption);
}
