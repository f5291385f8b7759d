/* The workspace at the left: who one acts as, the rooms, the people, the apps. On a phone a drawer. */

import { post } from "./api.js";
import { appAvatar, personAvatar, userAvatar } from "./avatar.js";
import { el, fill, icon, iconButton } from "./dom.js";
import { openPicker } from "./picker.js";
import { go, placeOf } from "./route.js";
import { actors, appOfUser, nameOf, on, store, titleOf, unreadTotal } from "./state.js";
import { attempt } from "./toast.js";

const phone = matchMedia("(max-width: 760px)");
const nav = document.getElementById("sidebar");
const veil = document.getElementById("veil");
let opener = null;

export function startSidebar() {
  for (const name of ["loaded", "channel", "person", "app", "place"]) on(name, draw);
  veil.addEventListener("click", closeDrawer);
  phone.addEventListener("change", closeDrawer);
  nav.addEventListener("keydown", (e) => e.key === "Escape" && phone.matches && closeDrawer());
  closeDrawer();
}

export function openDrawer() {
  opener = document.activeElement;
  setDrawer(true);
  nav.querySelector("button")?.focus();
}

export function closeDrawer() {
  setDrawer(false);
  if (opener?.isConnected) opener.focus();
  opener = null;
}

function setDrawer(open) {
  nav.classList.toggle("open", open);
  nav.inert = phone.matches && !open;
  veil.hidden = !open;
  const thread = document.getElementById("thread");
  thread.inert = open;
  document.getElementById("main").inert = open || (phone.matches && !thread.hidden);
}

function draw() {
  if (!store.me) return;
  if (nav.querySelector('[aria-expanded="true"]')) {
    setTimeout(draw, 400); // a list is open at one of these buttons: it must find it again
    return;
  }
  const kept = document.activeElement?.closest?.("#sidebar [data-key]")?.dataset.key;
  const rooms = [...store.channels.values()].filter((c) => !c.is_archived);
  const open = rooms.filter((c) => !c.is_im && !c.is_mpim).sort((a, b) => a.name.localeCompare(b.name));
  const direct = rooms.filter((c) => c.is_mpim || (c.is_im && !appOfUser(c.with)));
  fill(nav,
    el("header", { class: "side-head" },
      el("span", { class: "side-mark", aria: { hidden: true } }, icon("moon")),
      el("div", { class: "side-team" }, el("b", {}, store.team.name), el("small", {}, "Runs on this machine only")),
      iconButton("close", "Close the menu", closeDrawer, { class: "phone-only" })),
    switcher(),
    group("Channels", open.map(roomRow)),
    group("Direct messages", direct.map(roomRow), iconButton("reply", "Write to somebody", writeTo, { class: "tiny", aria: { label: "Write to somebody", haspopup: "listbox", expanded: false } })),
    group("Apps", [...store.apps.values()].filter((a) => a.has_home || dmOf(a)).map(appRow)));
  if (kept) nav.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus();
  const unread = unreadTotal();
  document.title = `${unread ? `(${unread}) ` : ""}${store.route.place || "Chat"} – ${store.team.name}`;
}

function switcher() {
  const button = el("button", {
    type: "button", class: "switcher", data: { key: "switcher" }, aria: { haspopup: "listbox", expanded: false, label: `Acting as ${nameOf(store.me)}. Change person` },
  }, personAvatar(store.me), el("span", { class: "switcher-text" }, el("small", {}, "Acting as"), el("b", {}, nameOf(store.me)), el("small", {}, store.me.title || `@${store.me.name}`)), icon("chevron"));
  button.addEventListener("click", () => openPicker({
    anchor: button, label: "Act as", selected: store.me.id,
    options: actors().map((p) => ({ value: p.id, label: nameOf(p), hint: p.title || `@${p.name}`, face: personAvatar(p, "small"), name: p.name })),
    onPick: (o) => go({ as: o.name }),
  }));
  return button;
}

function group(title, rows, extra) {
  return el("section", { class: "side-group" },
    el("h2", { class: "side-title" }, title, extra),
    rows.length ? el("ul", {}, rows.map((r) => el("li", {}, r))) : el("p", { class: "side-none" }, "Nobody yet"));
}

function row({ key, face, label, unread, place, quiet, note }) {
  const here = store.route.place === place;
  return el("button", {
    type: "button", class: `side-row ${unread ? "unread" : ""} ${quiet ? "quiet" : ""}`, data: { key },
    aria: { current: here ? "page" : null, label: unread ? `${label}, ${unread} unread` : null },
    on: { click: () => (go({ place, detail: "" }), closeDrawer()) },
  }, face, el("span", { class: "side-label" }, label), note && el("small", { class: "side-note" }, note), unread > 0 && el("span", { class: "count" }, unread > 99 ? "99+" : String(unread)));
}

function roomRow(room) {
  const place = placeOf(room);
  const face = room.is_im ? userAvatar(room.with, "small") : icon(room.is_private ? "lock" : "hash");
  return row({ key: room.id, face, label: titleOf(room), unread: room.unread, place, quiet: !room.is_im && !room.is_member });
}

const dmOf = (app) => [...store.channels.values()].find((c) => c.is_im && c.with === app.user_id);

function appRow(app) {
  const bot = store.people.get(app.user_id);
  return row({
    key: app.app_id, face: appAvatar(app.app_id, app.name, app.icon, "small"), label: app.name,
    unread: dmOf(app)?.unread, place: `@${bot?.name ?? app.user_id}`, note: isOffline(app) ? "offline" : null,
  });
}

/** An app on Socket Mode without a socket hears nothing. */
export function isOffline(app) {
  return app.mode === "socket" && app.connections === 0;
}

function writeTo(event) {
  const others = [...store.people.values()].filter((p) => !p.deleted && !p.is_bot && p.id !== store.me.id);
  openPicker({
    anchor: event.currentTarget, label: "Write to", filter: true,
    options: others.map((p) => ({ value: p.id, label: nameOf(p), hint: p.title, face: personAvatar(p, "small"), name: p.name })),
    onPick: (o) => attempt(async () => {
      const { channel } = await post("/sandbox/open_dm", { as: store.me.id, user: o.value });
      store.channels.set(channel.id, channel);
      go({ place: `@${o.name}`, detail: "" });
      closeDrawer();
    }),
  });
}
