/* Interactive elements: buttons, overflow menus, selects, and the inputs of a form. */

import { confirmed } from "./dialog.js";
import { el, icon } from "./dom.js";
import { checkboxes, dateInput, radios, textInput } from "./inputs.js";
import { plain, safeUrl, textObject } from "./mrkdwn.js";
import { multiSelect, select } from "./selects.js";
import { openPicker } from "./picker.js";

const KINDS = {
  button, workflow_button: button, overflow, image: (item) => el("span", { class: "b-thumb", role: "img", title: item.alt_text, aria: { label: item.alt_text } }, icon("image")),
  static_select: select, external_select: select, users_select: select, conversations_select: select, channels_select: select,
  multi_static_select: multiSelect, multi_external_select: multiSelect, multi_users_select: multiSelect,
  multi_conversations_select: multiSelect, multi_channels_select: multiSelect,
  radio_buttons: radios, checkboxes,
  plain_text_input: textInput, email_text_input: textInput, url_text_input: textInput, number_input: textInput, rich_text_input: textInput,
  datepicker: dateInput, timepicker: dateInput, datetimepicker: dateInput,
  feedback_buttons: feedback, icon_button: (item, block, tools) => button({ ...item, text: item.text ?? { type: "plain_text", text: "…" } }, block, tools),
};

/** One element. `extra`: {id, described, invalid} from the input block around it. */
export function element(item, block, scope, extra = {}) {
  const draw = KINDS[item?.type];
  if (!draw) return el("span", { class: "b-unknown" }, `This page does not draw “${item?.type}”.`);
  const live = block.type !== "input" || block.dispatch_action === true;
  const send = (payload, node) => (live ? dispatch(item, block, scope, payload, node) : undefined);
  const node = draw(item, block, { scope, send, live, ...extra });
  node.dataset.action = item.action_id ?? "";
  return node;
}

/** Asks if the element wants it, then sends; the node shows that it is waiting. */
async function dispatch(item, block, scope, payload, node) {
  if (node?.getAttribute("aria-busy") === "true") return false;
  if (item.confirm && !(await confirmed(item.confirm, (t) => textObject(t, scope.names)))) return false;
  node?.setAttribute("aria-busy", "true");
  try {
    return await scope.act(block, item, payload);
  } finally {
    node?.removeAttribute("aria-busy");
  }
}

function button(item, block, { scope, send }) {
  const style = ["primary", "danger"].includes(item.style) ? item.style : "";
  const content = [textObject(item.text, scope.names), item.url && el("span", { class: "unseen" }, " (opens a page)")];
  const node = el("button", { type: "button", class: `button ${style}`, aria: { label: item.accessibility_label } }, content);
  node.addEventListener("click", () => {
    const href = item.url && safeUrl(item.url);
    if (href) window.open(href, "_blank", "noopener,noreferrer");
    send(item.value == null ? {} : { value: item.value }, node);
  });
  return node;
}

function feedback(item, block, { send }) {
  const one = (choice, sign) => choice && el("button", { type: "button", class: "button", on: { click: () => send({ value: choice.value }) } }, sign, " ", plain(choice.text?.text));
  return el("span", { class: "b-actions" }, one(item.positive_button, "👍"), one(item.negative_button, "👎"));
}

function overflow(item, block, { scope, send }) {
  const node = el("button", { type: "button", class: "button square", title: "More actions", aria: { label: "More actions", haspopup: "menu", expanded: false } }, icon("dots"));
  const options = item.options.map((o) => ({ value: o.value, label: plain(o.text?.text), hint: plain(o.description?.text), url: o.url }));
  node.addEventListener("click", () => openPicker({
    anchor: node, label: "More actions", kind: "menu", options, filter: false,
    onPick(option) {
      const href = option.url && safeUrl(option.url);
      if (href) window.open(href, "_blank", "noopener,noreferrer");
      send({ selected_option: { value: option.value } }, node);
    },
  }));
  return node;
}
