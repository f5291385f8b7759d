/* The list of suggestions above a text box. Focus stays in the box; the row in question is named by
   aria-activedescendant. */

import { el, fill, uid } from "./dom.js";

/** `rowsFor(text, caret)` gives rows {insert, from, label, hint, face}; `onAccept()` runs after one was put in. */
export function createSuggestions(box, { rowsFor, onAccept }) {
  const at = { rows: [], here: -1 };
  const list = el("ul", { id: uid("complete"), class: "complete", role: "listbox", hidden: true, aria: { label: "Suggestions" } });
  for (const [name, value] of [["role", "combobox"], ["aria-controls", list.id], ["aria-autocomplete", "list"]]) box.setAttribute(name, value);

  function set(rows, here) {
    Object.assign(at, { rows, here });
    list.hidden = !rows.length;
    box.setAttribute("aria-expanded", String(rows.length > 0));
    fill(list, rows.map((row, i) => el("li", {
      id: `${list.id}-${i}`, role: "option", class: i === here ? "picker-row here" : "picker-row", aria: { selected: i === here },
      on: { mousedown: (e) => (e.preventDefault(), accept(row)) },
    }, row.face, el("span", { class: "picker-label" }, row.label, row.hint && el("small", {}, row.hint)))));
    if (here >= 0) box.setAttribute("aria-activedescendant", `${list.id}-${here}`);
    else box.removeAttribute("aria-activedescendant");
    list.children[here]?.scrollIntoView({ block: "nearest" });
  }

  function accept(row) {
    const rest = box.value.slice(box.selectionStart).replace(/^ /, "");
    box.value = box.value.slice(0, row.from) + row.insert + rest;
    box.selectionStart = box.selectionEnd = row.from + row.insert.length;
    box.focus();
    onAccept();
  }

  const close = () => set([], -1);
  const step = (by) => set(at.rows, (at.here + by + at.rows.length) % at.rows.length);
  box.addEventListener("blur", () => setTimeout(close, 0));

  return {
    node: list,
    close,
    /** Looks again at what stands in the box. */
    refresh() {
      const rows = rowsFor(box.value, box.selectionStart);
      // after "/dw " nothing is chosen yet: Enter must send what stands there
      set(rows, rows.length && !/^\/.*\s$/.test(box.value) ? 0 : -1);
    },
    /** True if the key was meant for the list. */
    takes(event) {
      if (!at.rows.length || event.shiftKey) return false;
      if (event.key === "ArrowDown") step(1);
      else if (event.key === "ArrowUp") step(at.here < 0 ? 0 : -1);
      else if (event.key === "Escape") close();
      else if (event.key === "Tab" || (event.key === "Enter" && at.here >= 0)) accept(at.rows[Math.max(0, at.here)]);
      else return false;
      return true;
    },
  };
}
