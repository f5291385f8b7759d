/* One message: who, when, what, and what can be done with it. */

import { post } from "./api.js";
import { senderAvatar, userAvatar } from "./avatar.js";
import { attachments, blocks } from "./blocks.js";
import { el, icon, iconButton } from "./dom.js";
import { emoji } from "./emoji.js";
import { messageScope } from "./interact.js";
import { mrkdwn } from "./mrkdwn.js";
import { openPicker } from "./picker.js";
import { names, store } from "./state.js";
import { clock, full, seconds } from "./time.js";
import { attempt } from "./toast.js";

const QUIET = new Set(["channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive"]);

/** `onThread(ts)` opens a thread; left out inside a thread. */
export function drawMessage(message, { onThread } = {}) {
  if (QUIET.has(message.subtype)) return quiet(message);
  const label = `${message.sender.name}${message.sender.kind === "app" ? ", app" : ""}, ${clock(seconds(message.ts))}`;
  return el("article", {
    class: `msg ${message.is_ephemeral ? "ephemeral" : ""}`, aria: { label },
    data: { ts: message.ts, sender: message.sender.id, day: "", version: message.version ?? 0 },
  },
    message.is_ephemeral && el("p", { class: "msg-note" }, icon("eye"), "Only visible to you"),
    message.subtype === "thread_broadcast" && onThread && broadcastNote(message, onThread),
    el("div", { class: "msg-gutter" }, senderAvatar(message.sender), stamp(message, "msg-side-time")),
    el("div", { class: "msg-body" },
      el("header", { class: "msg-head" },
        el("b", { class: "msg-name" }, message.sender.name),
        message.sender.kind === "app" && el("span", { class: "badge" }, "app"),
        stamp(message, "msg-time")),
      content(message), reactions(message),
      onThread && message.reply_count > 0 && threadButton(message, onThread)),
    tools(message, onThread));
}

function stamp(message, className) {
  const s = seconds(message.ts);
  return el("time", { class: className, title: full(s), datetime: new Date(s * 1000).toISOString() }, clock(s));
}

function content(message) {
  const scope = messageScope(message);
  const fromApp = message.sender.kind === "app" && message.blocks?.length > 0;
  const body = fromApp ? blocks(message.blocks, scope) : message.text && mrkdwn(message.text, names);
  return el("div", { class: "msg-content" },
    body && el("div", { class: fromApp ? "b-list" : "msg-text" }, body, message.edited && el("span", { class: "edited", title: full(seconds(message.edited.ts)) }, " (edited)")),
    attachments(message.attachments, scope),
    (message.files ?? []).map((f) => el("p", { class: "b-hint" }, `📎 ${f.title || f.name || "file"}`)));
}

function quiet(message) {
  return el("article", { class: "msg quiet", data: { ts: message.ts, sender: "", version: message.version ?? 0 } },
    el("div", { class: "msg-gutter" }), el("div", { class: "msg-body" },
      el("b", {}, message.sender.name), " ", mrkdwn(message.text, names)));
}

function broadcastNote(message, onThread) {
  return el("p", { class: "msg-note" }, icon("reply"), "Replied to ",
    el("button", { type: "button", class: "link-button", on: { click: () => onThread(message.thread_ts) } }, "a thread"));
}

function reactions(message) {
  if (!message.reactions?.length) return null;
  const mine = (r) => r.users.includes(store.me.id);
  const toggle = (r) => attempt(() => post("/sandbox/react", {
    as: store.me.id, channel: message.channel, ts: message.ts, name: r.name, remove: mine(r),
  }));
  return el("div", { class: "reactions" }, message.reactions.map((r) => el("button", {
    type: "button", class: "reaction", aria: { pressed: mine(r), label: `${r.name}, ${r.count}` }, on: { click: () => toggle(r) },
  }, emoji(r.name) ?? `:${r.name}:`, " ", el("span", {}, String(r.count)))));
}

function threadButton(message, onThread) {
  const n = message.reply_count;
  const last = message.latest_reply ? `last at ${clock(seconds(message.latest_reply))}` : "";
  return el("button", { type: "button", class: "thread-button", data: { thread: message.ts }, on: { click: () => onThread(message.ts) } },
    el("span", { class: "faces" }, (message.reply_users ?? []).slice(0, 4).map((id) => userAvatar(id, "tiny"))),
    el("b", {}, n === 1 ? "1 reply" : `${n} replies`), el("span", { class: "muted" }, last));
}

function tools(message, onThread) {
  const shortcuts = shortcutsOf();
  const more = shortcuts.length > 0 && !message.is_ephemeral && iconButton("dots", "More for this message", (e) => openPicker({
    anchor: e.currentTarget, label: "More for this message", kind: "menu", filter: false, options: shortcuts,
    onPick: (o) => attempt(() => post("/sandbox/shortcut", { as: store.me.id, callback_id: o.value, channel: message.channel, message_ts: message.ts })),
  }), { aria: { label: "More for this message", haspopup: "menu", expanded: false } });
  const reply = onThread && !message.is_ephemeral && iconButton("reply", "Reply in thread", () => onThread(message.thread_ts ?? message.ts));
  return (reply || more) && el("div", { class: "msg-tools" }, reply, more);
}

function shortcutsOf() {
  return [...store.apps.values()].flatMap((app) => (app.shortcuts ?? [])
    .filter((s) => s.type === "message_action").map((s) => ({ value: s.callback_id, label: s.name, hint: app.name })));
}
