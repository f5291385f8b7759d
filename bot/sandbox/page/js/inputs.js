/* Text, date and choice inputs. Each registers how the form reads it. */

import { el, later } from "./dom.js";
import { plain, textObject, unescape } from "./mrkdwn.js";

const TYPES = { email_text_input: "email", url_text_input: "url", number_input: "text", plain_text_input: "text" };
const MODES = { number_input: "decimal", email_text_input: "email", url_text_input: "url" };
const DATES = {
  datepicker: ["date", "selected_date", "initial_date"],
  timepicker: ["time", "selected_time", "initial_time"],
  datetimepicker: ["datetime-local", "selected_date_time", "initial_date_time"],
};

export function textInput(item, block, { scope, send, live, id, described, invalid }) {
  const start = scope.form.kept(block, item) ?? initialText(item);
  const shared = {
    id, class: "field", name: item.action_id, placeholder: plain(item.placeholder?.text), maxlength: item.max_length,
    "data-autofocus": item.focus_on_load, aria: { describedby: described, invalid: invalid || null, label: id ? null : plain(item.placeholder?.text) || "Text" },
  };
  const many = item.multiline || item.type === "rich_text_input";
  const node = many
    ? el("textarea", { ...shared, rows: 4 })
    : el("input", { ...shared, type: TYPES[item.type] ?? "text", inputmode: MODES[item.type], autocomplete: "off" });
  node.value = start ?? "";
  scope.form.register(block, item, () => node.value);
  const when = item.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  if (live && when.includes("on_character_entered")) node.addEventListener("input", later(300, () => send({ value: node.value })));
  if (live && when.includes("on_enter_pressed")) node.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || (many && e.shiftKey)) return;
    e.preventDefault();
    send({ value: node.value });
  });
  return node;
}

function initialText(item) {
  if (item.type !== "rich_text_input") return item.initial_value;
  const parts = item.initial_value?.elements?.flatMap((e) => e.elements ?? []) ?? [];
  return parts.map((p) => p.text ?? "").join("");
}

export function dateInput(item, block, { scope, send, id, described, invalid }) {
  const [type, key, initial] = DATES[item.type];
  const node = el("input", { id, type, class: "field short", aria: { describedby: described, invalid: invalid || null, label: id ? null : type } });
  const first = item[initial];
  const asEpoch = type === "datetime-local";
  node.value = scope.form.kept(block, item)?.[key] ?? (asEpoch && first ? new Date(first * 1000).toISOString().slice(0, 16) : first) ?? "";
  const read = () => (asEpoch && node.value ? Date.parse(`${node.value}Z`) / 1000 : node.value || null);
  scope.form.register(block, item, () => (read() == null ? null : { [key]: read() }));
  node.addEventListener("change", () => read() != null && send({ [key]: read() }));
  return node;
}

export function radios(item, block, tools) {
  const initial = tools.scope.form.kept(block, item) ?? item.initial_option?.value;
  const group = choices("radio", item, block, tools, (value) => value === initial);
  const picked = () => group.querySelector("input:checked")?.value ?? null;
  tools.scope.form.register(block, item, picked);
  group.addEventListener("change", () => tools.send({ selected_option: { value: picked() } }));
  return group;
}

export function checkboxes(item, block, tools) {
  const initial = tools.scope.form.kept(block, item) ?? (item.initial_options ?? []).map((o) => o.value);
  const group = choices("checkbox", item, block, tools, (value) => initial.includes(value));
  const picked = () => [...group.querySelectorAll("input:checked")].map((n) => n.value);
  tools.scope.form.register(block, item, picked);
  group.addEventListener("change", () => tools.send({ selected_options: picked().map((value) => ({ value })) }));
  return group;
}

function choices(type, item, block, { scope, id, described, invalid }, isChecked) {
  const name = `${block.block_id}-${item.action_id}`;
  return el("div", { class: "choices", id, role: type === "radio" ? "radiogroup" : "group", aria: { describedby: described, invalid: invalid || null } },
    item.options.map((option) => {
      const node = el("input", { type, name, value: option.value });
      node.checked = isChecked(option.value);
      return el("label", { class: "choice" }, node,
        el("span", {}, textObject(option.text, scope.names), option.description && el("small", {}, textObject(option.description, scope.names))));
    }));
}

/** The label of an option, as plain text for lists. */
export function optionLabel(option) {
  return plain(option.text?.type === "mrkdwn" ? unescape(option.text.text) : option.text?.text);
}
