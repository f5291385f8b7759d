/* How a click on a block travels to the app that posted it, from a message or from a view. */

import { post } from "./api.js";
import { createForm } from "./form.js";
import { names, store } from "./state.js";
import { attempt } from "./toast.js";

function scope(where, extra) {
  const at = (block, item) => ({ as: store.me.id, ...where, block_id: block.block_id, action_id: item.action_id });
  const form = extra.form ?? createForm();
  return {
    names,
    errors: extra.errors,
    form,
    /** True if the app took it; otherwise a notice has been shown. */
    act: (block, item, payload) => attempt(async () => {
      await post("/sandbox/click", { ...at(block, item), ...payload, state: form.values() });
      return true;
    }),
    suggest: (block, item, value) => post("/sandbox/suggest", { ...at(block, item), value }),
  };
}

/** The scope of one message's blocks. */
export function messageScope(message) {
  return scope({ channel: message.channel, message_ts: message.ts }, {});
}

/** The scope of a modal's or a home tab's blocks. */
export function viewScope(view, form) {
  return scope({ view_id: view.id }, { form, errors: view.errors });
}
