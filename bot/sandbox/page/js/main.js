/* Wires the page: the address says who and where, the stream says what happened. */

import { get, listen, post } from "./api.js";
import { el, fill } from "./dom.js";
import { createModals } from "./modal.js";
import { startNight } from "./night.js";
import { createRoom, markRead } from "./room.js";
import { fromPermalink, go, parse, placeOf, resolve, settle } from "./route.js";
import { startSidebar } from "./sidebar.js";
import { actors, channel, emit, learn, load, on, store } from "./state.js";
import { createThread } from "./thread.js";
import { attempt, toast } from "./toast.js";

const REMEMBERED = "workspace.person";
const shell = document.getElementById("shell");
const room = createRoom();
const thread = createThread({ onClosed: (ts) => room.list.focusThread(ts) });
const modals = createModals();
let hangUp = () => {};

const handlers = {
  message: ({ message }) => {
    countUnread(message);
    arrived(message);
  },
  message_changed: ({ message }) => changed(message),
  message_deleted: ({ ts }) => removed(ts),
  ephemeral: ({ message }) => arrived(message),
  ephemeral_changed: ({ message }) => changed(message),
  ephemeral_deleted: ({ ts }) => removed(ts),
  view_opened: ({ view }) => modals.upsert(view),
  view_updated: ({ view }) => modals.upsert(view),
  view_closed: ({ view_id: id, all }) => modals.remove(id, all),
  home: ({ app_id: id, view }) => {
    store.homes.set(id, view);
    emit("home", id);
  },
  channel: ({ channel: row }) => learn("channel", row),
  person: ({ person }) => learn("person", person),
  app: ({ app }) => learn("app", app),
  toast: ({ text, level, code }) => toast(text, level, code),
};

function arrived(message) {
  for (const list of [room.list, thread.list]) if (list.holds(message)) list.take(message);
  if (message.channel === room.current()) markRead(message.channel);
}

/* Counted here as well: the server's own count follows only when the channel itself changes. */
function countUnread(message) {
  const place = channel(message.channel);
  const reply = message.thread_ts && message.thread_ts !== message.ts;
  const seen = message.channel === room.current() && !document.hidden;
  if (!place || reply || seen || message.user === store.me.id) return;
  learn("channel", { ...place, unread: (place.unread ?? 0) + 1, latest: message.ts });
}

function changed(message) {
  for (const list of [room.list, thread.list]) if (list.holds(message) && list.has(message.ts)) list.take(message);
}

function removed(ts) {
  room.list.remove(ts);
  thread.list.remove(ts);
}

async function become(as) {
  hangUp();
  shell.setAttribute("aria-busy", "true");
  await load(as);
  localStorage.setItem(REMEMBERED, store.me.name);
  room.forget();
  thread.hide();
  modals.reset();
  hangUp = listen(store.me.id, (name, data) => handlers[name](data), onLine);
  shell.removeAttribute("aria-busy");
}

async function onLine(up) {
  document.body.classList.toggle("offline-page", !up);
  if (!up) return;
  await attempt(async () => {
    await load(store.me.id);
    modals.draw();
    await room.list.refresh();
    if (thread.current()) await thread.list.refresh();
  });
}

/** Shows what the address says; called at the start and at each change. */
async function follow() {
  const wanted = parse();
  const as = wanted.as || store.me?.name || localStorage.getItem(REMEMBERED);
  if (!as) await become(await anybody());
  else if (![store.me?.name, store.me?.id].includes(as)) await become(as).catch((error) => elsewhere(error, wanted.as));
  const target = await roomFor(wanted.place || firstPlace());
  if (!target) return missing(wanted.place);
  store.route = { as: store.me.name, place: placeOf(target), detail: wanted.detail };
  settle(store.route);
  emit("place");
  const home = wanted.detail === "home";
  const shown = room.show(target, home ? "home" : "messages");
  if (wanted.detail && !home) await thread.show(target, wanted.detail);
  else thread.hide();
  return shown;
}

/* Whoever the workspace has, for an address that names nobody. */
async function anybody() {
  return (await get("/sandbox/state")).me.name;
}

/* A name remembered from another workspace must not shut one out of this one. */
async function elsewhere(error, asked) {
  if (asked || error.code === "unreachable") throw error;
  localStorage.removeItem(REMEMBERED);
  await become(await anybody());
}

function firstPlace() {
  const open = [...store.channels.values()].filter((c) => !c.is_im && c.is_member && !c.is_archived);
  const busiest = open.sort((a, b) => (b.latest ?? "").localeCompare(a.latest ?? ""))[0];
  return busiest ? placeOf(busiest) : placeOf([...store.channels.values()][0]);
}

async function roomFor(place) {
  const { room: known, user } = resolve(place);
  if (known || !user) return known;
  const answer = await attempt(() => post("/sandbox/open_dm", { as: store.me.id, user: user.id }));
  if (answer?.channel) learn("channel", answer.channel);
  return answer?.channel;
}

function missing(place) {
  toast(`There is no “${place}” here for ${store.me.real_name || store.me.name}. Choose a room at the left.`);
  settle({ place: firstPlace(), detail: "" });
  return follow();
}

let queue = Promise.resolve();
function move() {
  queue = queue.then(follow).catch(failed);
}

function failed(error) {
  shell.removeAttribute("aria-busy");
  if (!error.code) throw error;
  if (store.me) return toast(error.message);
  fill(document.getElementById("main"), el("div", { class: "empty" }, el("h1", {}, "The workspace can't be shown"), el("p", {}, error.message),
    el("button", { type: "button", class: "button primary", on: { click: () => { localStorage.removeItem(REMEMBERED); location.assign("/"); } } }, "Try again")));
}

/* A link to a message of this workspace is followed here, not in a new tab. */
document.addEventListener("click", (e) => {
  const inside = e.target.closest?.("a[href]");
  const target = inside && fromPermalink(inside.href);
  if (!target) return;
  e.preventDefault();
  go(target);
});
document.querySelector(".skip").addEventListener("click", (e) => {
  e.preventDefault();
  document.querySelector('[data-composer="main"]')?.focus();
});
document.addEventListener("visibilitychange", () => room.current() && channel(room.current())?.unread && markRead(room.current()));
window.addEventListener("hashchange", move);
on("loaded", () => actors().length || toast("This workspace has no people."));
startSidebar();
const linked = fromPermalink(location.href);
if (linked) {
  history.replaceState(null, "", "/");
  settle(linked);
}
move();
startNight();
