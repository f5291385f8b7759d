/* One thread beside the room; on a phone over it. Esc or Back closes it. */

import { createComposer } from "./composer.js";
import { el, fill, iconButton } from "./dom.js";
import { createList } from "./messages.js";
import { go } from "./route.js";
import { titleOf } from "./state.js";

const panel = document.getElementById("thread");
const phone = matchMedia("(max-width: 760px)");

export function createThread({ onClosed }) {
  const list = createList({ label: "Thread" });
  const composer = createComposer({ inThread: true });
  const head = el("header", { class: "pane-head" });
  const at = { channel: null, ts: null };
  fill(panel, head, list.node, el("div", { class: "pane-foot" }, composer.node));
  const close = () => go({ detail: "" });
  panel.addEventListener("keydown", (e) => e.key === "Escape" && !e.defaultPrevented && close());
  phone.addEventListener("change", () => cover());

  function cover() {
    document.getElementById("main").inert = phone.matches && Boolean(at.ts);
  }

  return {
    list,
    /** Opens the thread `ts` of a room. */
    async show(room, ts) {
      Object.assign(at, { channel: room.id, ts });
      panel.hidden = false;
      cover();
      fill(head,
        iconButton("back", "Back to the channel", close, { class: "phone-only" }),
        el("div", { class: "pane-title" }, el("h1", {}, "Thread"), el("p", { class: "pane-topic" }, `${room.is_im ? "" : "#"}${titleOf(room)}`)),
        iconButton("close", "Close the thread", close, { class: "desk-only" }));
      composer.aim(room.id, ts, "Reply in thread");
      if (list.isAt(room.id, ts)) return;
      await list.show(room.id, ts);
      if (!phone.matches) composer.focus();
      else head.querySelector("button").focus();
    },
    hide() {
      if (panel.hidden) return;
      const was = at.ts;
      list.forget();
      Object.assign(at, { channel: null, ts: null });
      panel.hidden = true;
      cover();
      onClosed(was);
    },
    current: () => at.ts,
  };
}
