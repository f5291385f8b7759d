/* A list that opens at a button: selects, overflow menus and the person switcher. Focus stays on
   one element; the row in question is named by aria-activedescendant. */

import { el, fill, icon, later, uid } from "./dom.js";

const FILTER_FROM = 8;

/** options: [{value, label, hint?, face?, group?, danger?}]; `load(query)` fetches them instead.
    `kind`: "listbox" (a choice) or "menu" (things to do). */
export function openPicker({ anchor, label, options = [], load, selected, onPick, kind = "listbox", filter }) {
  const state = { rows: [], at: -1 };
  const list = el("ul", { id: uid("list"), role: kind, class: "picker-list", tabindex: -1, aria: { label } });
  const wantsFilter = filter ?? (Boolean(load) || options.length > FILTER_FROM);
  const search = wantsFilter && el("input", {
    type: "text", class: "field", role: "combobox", placeholder: "Filter", autocomplete: "off",
    aria: { label: `Filter: ${label}`, controls: list.id, expanded: true, autocomplete: "list" },
  });
  const box = el("div", { class: "picker", popover: "auto" }, search, list);
  const keyed = search || list;
  const pick = (option) => {
    close(true);
    onPick(option);
  };
  const close = (refocus) => {
    anchor.setAttribute("aria-expanded", "false");
    if (box.matches(":popover-open")) box.hidePopover();
    box.remove();
    if (refocus) anchor.focus();
  };
  const show = (rows) => {
    draw(list, rows, { kind, selected, pick, state });
    move(keyed, state, Math.max(0, rows.findIndex((o) => o.value === selected)));
  };
  box.addEventListener("keydown", (e) => onKey(e, { state, keyed, pick, close }));
  box.addEventListener("toggle", (e) => e.newState === "closed" && box.isConnected && close(false));
  if (search) search.addEventListener("input", later(load ? 150 : 0, async () => show(await matching(search.value, options, load))));
  (anchor.closest("dialog") ?? document.body).append(box);
  anchor.setAttribute("aria-expanded", "true");
  box.showPopover();
  show(options);
  if (load) load("").then(show);
  place(box, anchor);
  keyed.focus();
}

async function matching(query, options, load) {
  if (load) return load(query);
  const q = query.trim().toLowerCase();
  return options.filter((o) => `${o.label} ${o.hint ?? ""}`.toLowerCase().includes(q));
}

function draw(list, rows, { kind, selected, pick, state }) {
  let group;
  state.rows = rows;
  state.nodes = rows.map((option) => row(option, { kind, selected, pick }));
  fill(list, rows.flatMap((option, i) => {
    const heading = option.group && option.group !== group && el("li", { class: "picker-group", role: "presentation" }, option.group);
    group = option.group;
    return [heading, state.nodes[i]];
  }), !rows.length && el("li", { class: "picker-none", role: "presentation" }, "Nothing matches"));
}

function row(option, { kind, selected, pick }) {
  const chosen = kind === "listbox" ? option.value === selected : null;
  return el("li", {
    id: uid("option"), class: `picker-row ${option.danger ? "danger" : ""}`, role: kind === "menu" ? "menuitem" : "option",
    aria: { selected: chosen }, on: { click: () => pick(option), mousedown: (e) => e.preventDefault() },
  }, option.face, el("span", { class: "picker-label" }, option.label, option.hint && el("small", {}, option.hint)), chosen && icon("check"));
}

function move(keyed, state, at) {
  state.nodes?.[state.at]?.classList.remove("here");
  state.at = state.rows.length ? (at + state.rows.length) % state.rows.length : -1;
  const node = state.nodes?.[state.at];
  keyed.removeAttribute("aria-activedescendant");
  if (!node) return;
  node.classList.add("here");
  node.scrollIntoView({ block: "nearest" });
  keyed.setAttribute("aria-activedescendant", node.id);
}

function onKey(event, { state, keyed, pick, close }) {
  const last = state.rows.length - 1;
  const steps = { ArrowDown: state.at + 1, ArrowUp: state.at - 1, Home: 0, End: last };
  const typing = keyed.tagName === "INPUT";
  if (event.key in steps && !(typing && ["Home", "End"].includes(event.key))) move(keyed, state, steps[event.key]);
  else if (event.key === "Enter" || (event.key === " " && !typing)) state.at >= 0 && pick(state.rows[state.at]);
  else if (event.key === "Tab" || event.key === "Escape") close(true);
  else if (!typing && event.key.length === 1) jump(event.key, state, keyed);
  else return;
  event.stopPropagation();
  if (event.key !== "Tab") event.preventDefault();
}

function jump(letter, state, keyed) {
  const order = [...state.rows.keys()].map((i) => (i + state.at + 1) % state.rows.length);
  const hit = order.find((i) => String(state.rows[i].label).toLowerCase().startsWith(letter.toLowerCase()));
  if (hit !== undefined) move(keyed, state, hit);
}

function place(box, anchor) {
  const a = anchor.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = box;
  const below = innerHeight - a.bottom - 8;
  const top = below >= h || below >= a.top ? a.bottom + 4 : Math.max(8, a.top - h - 4);
  box.style.setProperty("--top", `${top}px`);
  box.style.setProperty("--room", `${Math.max(160, innerHeight - top - 12)}px`);
  box.style.setProperty("--left", `${Math.max(8, Math.min(a.left, innerWidth - w - 8))}px`);
  box.style.setProperty("--wide", `${Math.max(a.width, 200)}px`);
}
