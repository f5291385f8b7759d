/* Selects of every source: given options, people, channels, or options the app suggests. */

import { userAvatar } from "./avatar.js";
import { el, icon, uid } from "./dom.js";
import { optionLabel } from "./inputs.js";
import { plain } from "./mrkdwn.js";
import { openPicker } from "./picker.js";
import { nameOf, person, store, titleOf } from "./state.js";

const KEYS = { users: "selected_user", conversations: "selected_conversation", channels: "selected_channel", static: "selected_option", external: "selected_option" };
const INITIAL = { users: "initial_user", conversations: "initial_conversation", channels: "initial_channel", static: "initial_option", external: "initial_option" };

const sourceOf = (item) => item.type.replace("multi_", "").replace("_select", "");

function fromOption(option, group) {
  return { value: option.value, label: optionLabel(option), hint: plain(option.description?.text), group };
}

function given(item) {
  if (!item.option_groups) return (item.options ?? []).map((o) => fromOption(o));
  return item.option_groups.flatMap((g) => g.options.map((o) => fromOption(o, plain(g.label?.text))));
}

function people() {
  return [...store.people.values()].filter((p) => !p.deleted && !p.is_bot)
    .map((p) => ({ value: p.id, label: nameOf(p), hint: p.title, face: userAvatar(p.id, "small") }));
}

function rooms(withDms) {
  return [...store.channels.values()].filter((c) => withDms || !c.is_im)
    .map((c) => ({ value: c.id, label: (c.is_im ? "" : "#") + titleOf(c) }));
}

function optionsOf(item) {
  const source = sourceOf(item);
  if (source === "users") return people();
  if (source === "channels" || source === "conversations") return rooms(source === "conversations");
  return given(item);
}

function initialOf(item) {
  const first = item[INITIAL[sourceOf(item)]];
  if (first && typeof first === "object") return fromOption(first);
  return first ? { value: first, label: person(first) ? nameOf(person(first)) : first } : null;
}

/** A select that holds one value; it is sent at once where the block is live. */
export function select(item, block, { scope, send, id, described, invalid }) {
  const key = KEYS[sourceOf(item)];
  const kept = scope.form.kept(block, item);
  let chosen = (kept && optionsOf(item).find((o) => o.value === kept)) || initialOf(item);
  const hint = plain(item.placeholder?.text) || "Choose";
  const shown = el("span", { class: "select-text", id: uid("chosen") });
  const node = el("button", {
    type: "button", id, class: "select", aria: { haspopup: "listbox", expanded: false, describedby: [shown.id, described].filter(Boolean).join(" "), invalid: invalid || null },
  }, shown, icon("chevron"));
  const paint = () => {
    shown.textContent = chosen?.label ?? hint;
    shown.classList.toggle("unset", !chosen);
    if (!id) node.setAttribute("aria-label", chosen ? `${hint}: ${chosen.label}` : hint);
  };
  paint();
  scope.form.register(block, item, () => chosen?.value ?? null);
  const load = sourceOf(item) === "external" && ((query) => suggest(scope, block, item, query));
  node.addEventListener("click", () => openPicker({
    anchor: node, label: hint, options: optionsOf(item), load, selected: chosen?.value,
    onPick: async (option) => {
      const before = chosen;
      chosen = option;
      paint();
      const sent = await send({ [key]: key === "selected_option" ? { value: option.value } : option.value }, node);
      if (sent === false) chosen = before;
      paint();
    },
  }));
  return node;
}

async function suggest(scope, block, item, query) {
  const answer = await scope.suggest(block, item, query);
  const groups = answer.option_groups;
  return groups ? given({ option_groups: groups }) : given({ options: answer.options });
}

/** Several values: a list of boxes, which a thumb and a keyboard both manage. */
export function multiSelect(item, block, { scope, send, id, described, invalid }) {
  const source = sourceOf(item);
  const key = `${KEYS[source]}s`;
  const first = scope.form.kept(block, item) ?? (item[`${INITIAL[source]}s`] ?? []).map((v) => v.value ?? v);
  const node = el("div", { id, class: "choices boxed", role: "group", tabindex: -1, aria: { describedby: described, invalid: invalid || null, label: plain(item.placeholder?.text) || "Choose any" } });
  const draw = (options) => node.replaceChildren(...options.map((o) => {
    const box = el("input", { type: "checkbox", value: o.value });
    box.checked = first.includes(o.value);
    return el("label", { class: "choice" }, box, el("span", {}, o.label, o.hint && el("small", {}, o.hint)));
  }));
  draw(optionsOf(item));
  if (source === "external") suggest(scope, block, item, "").then(draw);
  const picked = () => [...node.querySelectorAll("input:checked")].map((n) => n.value);
  scope.form.register(block, item, picked);
  node.addEventListener("change", () => send({ [key]: source === "static" || source === "external" ? picked().map((value) => ({ value })) : picked() }));
  return node;
}
