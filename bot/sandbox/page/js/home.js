/* An app's Home tab: the view it published for this person. */

import { post } from "./api.js";
import { blocks } from "./blocks.js";
import { el, fill } from "./dom.js";
import { createForm } from "./form.js";
import { viewScope } from "./interact.js";
import { on, store } from "./state.js";
import { attempt } from "./toast.js";

export function createHome() {
  const body = el("div", { class: "home-body b-list" });
  const node = el("div", { class: "home", tabindex: 0, role: "region", aria: { label: "Home" }, hidden: true }, body);
  const at = { app: null, form: null };
  on("home", (appId) => appId === at.app?.app_id && draw());

  function draw() {
    const view = store.homes.get(at.app.app_id);
    if (!view) {
      fill(body, el("p", { class: "empty" }, `${at.app.name} has not published a home for you yet.`));
      return;
    }
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const form = createForm(at.form?.values());
    fill(body, blocks(view.blocks, viewScope(view, form)));
    at.form = form;
    if (focused) body.querySelector(`[data-action="${CSS.escape(focused)}"]`)?.focus();
  }

  return {
    node,
    /** Shows the last published view at once and tells the app that its home was opened. */
    async show(app) {
      if (at.app !== app) at.form = null;
      at.app = app;
      draw();
      const answer = await attempt(() => post("/sandbox/open_home", { as: store.me.id, app_id: app.app_id }));
      if (answer?.view) {
        store.homes.set(app.app_id, answer.view);
        draw();
      }
    },
  };
}
