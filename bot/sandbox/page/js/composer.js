/* Where one types: Enter sends, Shift+Enter breaks the line, `/`, `@` and `#` complete. */

import { post } from "./api.js";
import { complete } from "./completion.js";
import { el, fill, iconButton, uid } from "./dom.js";
import { store } from "./state.js";
import { attempt, toast } from "./toast.js";

const drafts = new Map();
const touch = matchMedia("(pointer: coarse)");

export function createComposer({ inThread }) {
  const at = { channel: null, thread: null, rows: [], here: -1 };
  const list = el("ul", { id: uid("complete"), class: "complete", role: "listbox", hidden: true, aria: { label: "Suggestions" } });
  const box = el("textarea", {
    class: "composer-text", rows: 1, role: "combobox", spellcheck: true, "data-composer": inThread ? "thread" : "main",
    aria: { expanded: false, controls: list.id, autocomplete: "list", multiline: true },
  });
  const send = iconButton("send", "Send", () => submit(), { class: "send" });
  const hint = el("p", { class: "composer-hint" }, el("kbd", {}, "Enter"), " to send · ", el("kbd", {}, "Shift"), " ", el("kbd", {}, "Enter"), " for a new line",
    !inThread && [" · ", el("kbd", {}, "/"), " for commands"]);
  const node = el("div", { class: "composer" }, list, el("div", { class: "composer-box" }, box, send), hint);

  const key = () => `${store.me?.id}/${at.channel}/${at.thread ?? ""}`;
  const fit = () => {
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${Math.min(box.scrollHeight, 200)}px`);
    node.classList.toggle("ready", box.value.trim() !== "");
  };

  function suggest() {
    at.rows = complete(box.value, box.selectionStart, { commands: !inThread });
    // after "/dw " nothing is chosen yet: Enter must send what stands there
    at.here = at.rows.length && !/^\/.*\s$/.test(box.value) ? 0 : -1;
    drawRows();
  }

  function drawRows() {
    list.hidden = !at.rows.length;
    box.setAttribute("aria-expanded", String(at.rows.length > 0));
    fill(list, at.rows.map((row, i) => el("li", {
      id: `${list.id}-${i}`, role: "option", class: i === at.here ? "picker-row here" : "picker-row", aria: { selected: i === at.here },
      on: { mousedown: (e) => (e.preventDefault(), accept(row)) },
    }, row.face, el("span", { class: "picker-label" }, row.label, row.hint && el("small", {}, row.hint)))));
    if (at.here >= 0) box.setAttribute("aria-activedescendant", `${list.id}-${at.here}`);
    else box.removeAttribute("aria-activedescendant");
    list.children[at.here]?.scrollIntoView({ block: "nearest" });
  }

  function accept(row) {
    const rest = box.value.slice(box.selectionStart);
    box.value = box.value.slice(0, row.from) + row.insert + rest.replace(/^ /, "");
    box.selectionStart = box.selectionEnd = row.from + row.insert.length;
    box.dispatchEvent(new Event("input"));
    box.focus();
  }

  function close() {
    at.rows = [];
    at.here = -1;
    drawRows();
  }

  async function submit() {
    const text = box.value.trim();
    if (!text || node.getAttribute("aria-busy")) return;
    if (inThread && text.startsWith("/")) {
      toast("Slash commands don't work in threads. Write to the app instead, for example “@dw status”.");
      return;
    }
    const mine = key();
    node.setAttribute("aria-busy", "true");
    const sent = await attempt(() => deliver(at, text));
    node.removeAttribute("aria-busy");
    if (!sent) return; // the text stays where it was
    drafts.delete(mine);
    if (mine === key()) box.value = "";
    fit();
    close();
  }

  box.addEventListener("input", () => {
    drafts.set(key(), box.value);
    fit();
    suggest();
  });
  box.addEventListener("blur", () => setTimeout(close, 0));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const open = at.rows.length > 0;
    if (open && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      at.here = (at.here + (event.key === "ArrowDown" ? 1 : -1) + at.rows.length) % at.rows.length;
      drawRows();
    } else if (open && event.key === "Tab" && !event.shiftKey) accept(at.rows[Math.max(0, at.here)]);
    else if (at.here >= 0 && event.key === "Enter" && !event.shiftKey) accept(at.rows[at.here]);
    else if (open && event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey && !touch.matches) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    node,
    focus: () => box.focus(),
    /** Points the box at a room (and thread); what was typed there before comes back. */
    aim(channel, thread, label) {
      Object.assign(at, { channel, thread });
      box.value = drafts.get(key()) ?? "";
      box.placeholder = label;
      box.setAttribute("aria-label", label);
      fit();
      close();
    },
  };
}

function deliver({ channel, thread }, text) {
  const as = store.me.id;
  if (text.startsWith("/")) return post("/sandbox/command", { as, channel, text });
  return post("/sandbox/post", { as, channel, text, thread_ts: thread ?? undefined });
}
