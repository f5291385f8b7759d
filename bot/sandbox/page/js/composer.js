/* Where one types: Enter sends, Shift+Enter breaks the line, `/`, `@` and `#` complete. */

import { post } from "./api.js";
import { complete } from "./completion.js";
import { el, iconButton } from "./dom.js";
import { store } from "./state.js";
import { createSuggestions } from "./suggest.js";
import { attempt, toast } from "./toast.js";

const TALLEST_PX = 200;
const NO_COMMANDS = "Slash commands don't work in threads. Write to the app instead, for example “@dw status”.";
const drafts = new Map();
const touch = matchMedia("(pointer: coarse)");

export function createComposer({ inThread }) {
  const at = { channel: null, thread: null };
  const box = el("textarea", {
    class: "composer-text", rows: 1, spellcheck: true, "data-composer": inThread ? "thread" : "main", aria: { multiline: true },
  });
  const suggestions = createSuggestions(box, {
    rowsFor: (text, caret) => complete(text, caret, { commands: !inThread }),
    onAccept: () => typed(),
  });
  const node = el("div", { class: "composer" }, suggestions.node,
    el("div", { class: "composer-box" }, box, iconButton("send", "Send", () => submit(), { class: "send" })), hint(inThread));
  const key = () => `${store.me?.id}/${at.channel}/${at.thread ?? ""}`;

  function typed() {
    drafts.set(key(), box.value);
    fit(box, node);
    suggestions.refresh();
  }

  function put(text) {
    box.value = text;
    fit(box, node);
    suggestions.close();
  }

  async function submit() {
    const text = box.value.trim();
    if (!text || node.getAttribute("aria-busy")) return;
    if (inThread && text.startsWith("/")) return toast(NO_COMMANDS);
    const mine = key();
    node.setAttribute("aria-busy", "true");
    const sent = await attempt(() => deliver(at, text));
    node.removeAttribute("aria-busy");
    if (!sent) return; // the text stays where it was
    drafts.delete(mine);
    if (mine === key()) put("");
  }

  box.addEventListener("input", typed);
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (!suggestions.takes(event)) {
      if (event.key !== "Enter" || event.shiftKey || touch.matches) return;
      submit();
    }
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    node,
    focus: () => box.focus(),
    /** Points the box at a room (and thread); what was typed there before comes back. */
    aim(channel, thread, label) {
      box.placeholder = label;
      box.setAttribute("aria-label", label);
      if (at.channel === channel && at.thread === thread && at.me === store.me.id) return;
      Object.assign(at, { channel, thread, me: store.me.id });
      put(drafts.get(key()) ?? "");
    },
  };
}

function fit(box, node) {
  box.style.setProperty("height", "auto");
  box.style.setProperty("height", `${Math.min(box.scrollHeight, TALLEST_PX)}px`);
  node.classList.toggle("ready", box.value.trim() !== "");
}

function hint(inThread) {
  return el("p", { class: "composer-hint" }, el("kbd", {}, "Enter"), " to send · ", el("kbd", {}, "Shift"), " ", el("kbd", {}, "Enter"), " for a new line",
    !inThread && [" · ", el("kbd", {}, "/"), " for commands"]);
}

function deliver({ channel, thread }, text) {
  const as = store.me.id;
  if (text.startsWith("/")) return post("/sandbox/command", { as, channel, text });
  return post("/sandbox/post", { as, channel, text, thread_ts: thread ?? undefined });
}
