/* Wires the page: the address says who and where, the stream says what happened. */

import { get, listen, post } from "./api.js";
import { el, fill } from "./dom.js";
import { createModals } from "./modal.js";
import { startNight } from "./night.js";
import { createRoom, markRead } from "./room.js";
import { go, parse, placeOf, resolve } from "./route.js";
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
  message: ({ message }) => arrived(message),
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

async function onLine(up, again) {
  document.body.classList.toggle("offline-page", !up);
  if (!up || !again) return;
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
  const as = wanted.as || localStorage.getItem(REMEMBERED) || (await anybody());
  if (![store.me?.name, store.me?.id].includes(as)) await become(as);
  const target = await roomFor(wanted.place || firstPlace());
  if (!target) return missing(wanted.place);
  store.route = { as: store.me.name, place: placeOf(target), detail: wanted.detail };
  go(store.route, { replace: true });
  emit("place");
  const home = wanted.detail === "home";
  const shown = room.show(target, home ? "home" : "messages");
  if (wanted.detail && !home) await thread.show(target, wanted.detail);
  else thread.hide();
  return shown;
}

async function anybody() {
  const answer = await get("/sandbox/state");
  return answer.me?.name ?? answer.people.find((p) => !p.is_bot && !p.deleted).name;
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
  go({ place: firstPlace(), detail: "" }, { replace: true });
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

document.querySelector(".skip").addEventListener("click", (e) => {
  e.preventDefault();
  document.querySelector('[data-composer="main"]')?.focus();
});
document.addEventListener("visibilitychange", () => room.current() && channel(room.current())?.unread && markRead(room.current()));
window.addEventListener("hashchange", move);
on("loaded", () => actors().length || toast("This workspace has no people."));
startSidebar();
move();
startNight();
