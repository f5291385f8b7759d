/* Modal dialogs: the browser's own <dialog> makes the rest of the page inert; Tab goes round inside. */

import { el, uid } from "./dom.js";

const FOCUSABLE = 'button:not([disabled]), input:not([disabled]), textarea, select, a[href], [tabindex="0"]';

/** Opens a dialog around `content`. `onCancel` is asked on Esc; it closes the dialog itself. */
export function openDialog(content, { label, labelledby, onCancel, className = "", role = "dialog" }) {
  const opener = document.activeElement;
  const dialog = el("dialog", { class: `dialog ${className}`, role, aria: { label, labelledby, modal: true } }, content);
  document.body.append(dialog);
  dialog.addEventListener("cancel", (e) => {
    e.preventDefault();
    if (e.target === dialog) onCancel();
  });
  dialog.addEventListener("keydown", (e) => wrapTab(dialog, e));
  dialog.append(document.getElementById("toasts")); // all outside an open dialog is inert and behind the veil
  dialog.showModal();
  return {
    node: dialog,
    close() {
      const below = [...document.querySelectorAll("dialog[open]")].filter((d) => d !== dialog).at(-1) ?? document.body;
      below.append(document.getElementById("toasts"));
      dialog.close();
      dialog.remove();
      if (opener?.isConnected) opener.focus();
    },
  };
}

function wrapTab(dialog, event) {
  if (event.key !== "Tab") return;
  const stops = [...dialog.querySelectorAll(FOCUSABLE)].filter((n) => n.offsetParent !== null);
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  const outside = !dialog.contains(document.activeElement) || document.activeElement === dialog;
  if (stops.length && (document.activeElement === edge || outside)) {
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0]).focus();
  }
}

/** Asks before an element with `confirm` is sent. Resolves to true or false. */
export function confirmed(ask, text) {
  return new Promise((resolve) => {
    const id = uid("confirm");
    const done = (answer) => {
      handle.close();
      resolve(answer);
    };
    const yes = ask.style === "danger" ? "button danger" : "button primary";
    const content = el("div", { class: "confirm" },
      el("h2", { id }, text(ask.title)),
      el("div", { class: "confirm-text" }, text(ask.text)),
      el("div", { class: "dialog-foot" },
        el("button", { type: "button", class: "button", on: { click: () => done(false) } }, text(ask.deny) || "Cancel"),
        el("button", { type: "button", class: yes, on: { click: () => done(true) } }, text(ask.confirm) || "Yes")));
    const handle = openDialog(content, { labelledby: id, className: "small", role: "alertdialog", onCancel: () => done(false) });
    handle.node.querySelector(".dialog-foot button").focus();
  });
}
