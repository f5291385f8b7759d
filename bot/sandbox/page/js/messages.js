/* A list of messages, of a room or of one thread. Keyed by ts: a change redraws only its message,
   so that what somebody types or opens elsewhere in the list stays as it is. */

import { get } from "./api.js";
import { el, fill, icon } from "./dom.js";
import { drawMessage } from "./message.js";
import { strip } from "./mrkdwn.js";
import { names, store } from "./state.js";
import { day, dayKey, seconds } from "./time.js";
import { announce } from "./toast.js";

const TOGETHER_S = 300;
const NEAR_END_PX = 120;

export function createList({ label, onThread, intro }) {
  const rows = new Map(); // ts → {message, node}
  const log = el("div", { class: "log-rows", role: "log", aria: { label, live: "off" } });
  const jump = el("button", { type: "button", class: "jump", hidden: true, on: { click: () => toEnd() } }, icon("arrowDown"), "New messages");
  const scroller = el("div", { class: "log", tabindex: 0, role: "region", aria: { label } }, log);
  const node = el("div", { class: "log-frame" }, scroller, jump);
  const at = { channel: null, thread: null, lastRead: null, asked: 0 };
  let heard = new Set(); // what the stream told since the last question: newer than its answer

  const nearEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    jump.hidden = true;
  };
  scroller.addEventListener("scroll", () => nearEnd() && (jump.hidden = true), { passive: true });

  function put(message) {
    const before = rows.get(message.ts);
    if (before && JSON.stringify(before.message) === JSON.stringify(message)) return before.node;
    const drawn = drawMessage(message, { onThread });
    if (before) swap(before.node, drawn);
    else log.insertBefore(drawn, nextAfter(message.ts));
    rows.set(message.ts, { message, node: drawn });
    return drawn;
  }

  function drop(ts) {
    rows.get(ts)?.node.remove();
    rows.delete(ts);
  }

  function nextAfter(ts) {
    const later = [...rows.keys()].filter((k) => k > ts).sort()[0];
    return later ? rows.get(later).node : null;
  }

  function arrange() {
    for (const old of log.querySelectorAll(".day, .fresh")) old.remove();
    let previous = null;
    let marked = at.lastRead == null;
    for (const ts of [...rows.keys()].sort()) {
      const { message, node: row } = rows.get(ts);
      const underRoot = previous?.ts === at.thread && at.thread;
      if (underRoot) log.insertBefore(el("div", { class: "day replies", role: "separator" }, el("span", {}, replies(rows.size - 1))), row);
      const newDay = !previous || dayKey(seconds(previous.ts)) !== dayKey(seconds(ts));
      if (newDay) log.insertBefore(el("div", { class: "day", role: "separator" }, el("span", {}, day(seconds(ts)))), row);
      const fresh = !marked && ts > at.lastRead && message.user !== store.me.id;
      if (fresh) log.insertBefore(el("div", { class: "fresh", role: "separator" }, el("span", {}, "New")), row);
      marked ||= fresh;
      row.classList.toggle("follows", !newDay && !fresh && !underRoot && together(previous, message));
      previous = message;
    }
    log.classList.toggle("bare", rows.size === 0);
  }

  return {
    node,
    toEnd,
    /** Shows a room or a thread from the server; `lastRead` puts the “New” line. */
    async show(channel, thread = null, lastRead = null) {
      Object.assign(at, { channel, thread, lastRead });
      rows.clear();
      fill(log, intro?.());
      await this.refresh();
      toEnd();
    },
    isAt: (channel, thread = null) => at.channel === channel && at.thread === thread,
    forget: () => (at.channel = null),
    /** Fetches again and changes only what differs. */
    async refresh() {
      if (!at.channel) return;
      const asked = (at.asked += 1);
      const before = [...rows.keys()];
      heard = new Set();
      const answer = await get("/sandbox/messages", { as: store.me.id, channel: at.channel, thread_ts: at.thread });
      if (asked !== at.asked) return; // somebody moved on meanwhile
      const stays = new Set(answer.messages.map((m) => m.ts));
      for (const ts of before) if (!stays.has(ts)) drop(ts);
      for (const message of answer.messages) if (!heard.has(message.ts)) put(message);
      arrange();
    },
    /** True if a message belongs here. */
    holds(message) {
      if (message.channel !== at.channel) return false;
      const isReply = message.thread_ts && message.thread_ts !== message.ts;
      if (at.thread) return message.ts === at.thread || message.thread_ts === at.thread;
      return !isReply || message.subtype === "thread_broadcast";
    },
    has: (ts) => rows.has(ts),
    /** Adds or redraws one message. */
    take(message) {
      const known = rows.has(message.ts);
      heard.add(message.ts);
      const stay = nearEnd() || message.user === store.me.id;
      put(message);
      arrange();
      if (!known) {
        announce(`${message.sender.name}: ${strip(message.text, names).slice(0, 200)}`);
        if (!stay) jump.hidden = false;
      }
      if (stay) toEnd();
    },
    remove(ts) {
      heard.add(ts);
      drop(ts);
      arrange();
    },
    root: () => rows.get(at.thread)?.message,
    focusThread: (ts) => rows.get(ts)?.node.querySelector(".thread-button, .msg-tools button")?.focus(),
  };
}

const replies = (n) => (n === 1 ? "1 reply" : `${n} replies`);

function together(a, b) {
  const same = a.sender?.id === b.sender?.id && a.sender?.name === b.sender?.name;
  const plainKind = !a.is_ephemeral && !b.is_ephemeral && !b.subtype?.startsWith("channel_") && b.subtype !== "thread_broadcast";
  return same && plainKind && a.subtype === b.subtype && seconds(b.ts) - seconds(a.ts) < TOGETHER_S;
}

/* Replaces a node and keeps the keyboard where it was, if the same element is still there. */
function swap(before, after) {
  const here = before.contains(document.activeElement) ? document.activeElement : null;
  const action = here?.dataset.action;
  before.replaceWith(after);
  if (!here) return;
  const same = action && after.querySelector(`[data-action="${CSS.escape(action)}"]`);
  if (same) same.focus();
  else {
    after.tabIndex = -1;
    after.focus();
  }
}
