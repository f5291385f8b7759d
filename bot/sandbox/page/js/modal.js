/* Modals: the stack of views an app has opened for this person. Only the top one is drawn. */

import { post } from "./api.js";
import { blocks } from "./blocks.js";
import { openDialog } from "./dialog.js";
import { el, fill, icon, iconButton, uid } from "./dom.js";
import { createForm } from "./form.js";
import { viewScope } from "./interact.js";
import { plain } from "./mrkdwn.js";
import { store } from "./state.js";
import { toast } from "./toast.js";

export function createModals() {
  const forms = new Map(); // view id → form, so that a lower view keeps what was typed
  const slot = el("div");
  let dialog = null;
  let drawn = "";

  function draw() {
    const view = store.views.at(-1);
    if (!view) {
      dialog?.close();
      dialog = null;
      drawn = "";
      return;
    }
    const now = JSON.stringify(view);
    if (dialog && now === drawn) return;
    drawn = now;
    dialog ??= openDialog(slot, { labelledby: "modal-title", className: "modal", onCancel: () => close(store.views.at(-1)) });
    const focused = dialog.node.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const form = createForm(forms.get(view.id)?.values() ?? kept(view));
    fill(slot, frame(view, form));
    forms.set(view.id, form);
    settle(dialog.node, focused);
  }

  function frame(view, form) {
    const id = uid("view");
    const note = el("p", { class: "modal-note", role: "alert", hidden: true });
    const submit = view.submit && el("button", { type: "submit", class: "button primary" }, plain(view.submit.text));
    const over = store.views.length > 1;
    const node = el("form", { class: "modal-frame", novalidate: true, data: { view: view.id } },
      el("header", { class: "modal-head" },
        over && iconButton("back", "Back", () => close(view)),
        el("h2", { id: "modal-title" }, plain(view.title?.text)),
        iconButton("close", "Close", () => close(view, over))),
      el("div", { class: "modal-body b-list", id, tabindex: -1 }, blocks(view.blocks, viewScope(view, form)), note),
      el("footer", { class: "dialog-foot" },
        el("button", { type: "button", class: "button", on: { click: () => close(view) } }, plain(view.close?.text) || (submit ? "Cancel" : "Close")), submit));
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      send(view, form, { submit, note });
    });
    return node;
  }

  async function send(view, form, { submit, note }) {
    if (!submit || submit.getAttribute("aria-busy")) return;
    submit.setAttribute("aria-busy", "true");
    note.hidden = true;
    try {
      settleAnswer(view, await post("/sandbox/submit", { as: store.me.id, view_id: view.id, values: form.values() }));
    } catch (error) {
      if (!error.code) throw error;
      if (error.body?.errors) upsert({ ...view, errors: error.body.errors });
      else fill(note, icon("warn"), error.message).hidden = false;
    } finally {
      submit.removeAttribute("aria-busy");
    }
  }

  function settleAnswer(view, answer) {
    if (answer.result === "cleared") remove(view.id, true);
    else if (answer.result === "closed") remove(view.id, false);
    else if (answer.view) upsert(answer.view);
  }

  function upsert(view) {
    const at = store.views.findIndex((v) => v.id === view.id);
    if (at < 0) store.views.push(view);
    else store.views[at] = view;
    draw();
  }

  function remove(id, all) {
    const gone = all ? [...store.views] : store.views.filter((v) => v.id === id);
    for (const view of gone) forms.delete(view.id);
    store.views = store.views.filter((v) => !gone.includes(v));
    draw();
  }

  async function close(view, all = false) {
    remove(view.id, all);
    try {
      await post("/sandbox/close", { as: store.me.id, view_id: view.id, all });
    } catch (error) {
      if (!error.code) throw error;
      if (error.code !== "no_such_view") toast(error.message);
    }
  }

  return {
    draw,
    /** A view_opened or view_updated of the stream. */
    upsert,
    /** A view_closed of the stream. */
    remove,
    reset() {
      forms.clear();
      draw();
    },
  };
}

/* What the server remembers of the inputs, after a reload of the page. */
function kept(view) {
  const out = {};
  for (const [block, elements] of Object.entries(view.state?.values ?? {})) {
    for (const [action, held] of Object.entries(elements)) {
      const options = held.selected_options?.map((o) => o.value);
      const value = held.value ?? held.selected_option?.value ?? options ?? held.selected_user ?? held.selected_users ?? held.selected_channel ?? held.selected_conversation;
      if (value != null) (out[block] ??= {})[action] = value;
    }
  }
  return out;
}

function settle(node, focused) {
  const wrong = node.querySelector(".b-input.invalid :is(input, textarea, .select)");
  const same = focused && node.querySelector(`[data-action="${CSS.escape(focused)}"]`);
  const first = node.querySelector("[data-autofocus]") ?? node.querySelector(".modal-body :is(input, textarea, .select, .button)") ?? node.querySelector(".dialog-foot .button");
  (wrong ?? same ?? first)?.focus();
}
