/* The middle of the page: a room's head, its messages and the composer; for an app also its home. */

import { post } from "./api.js";
import { createComposer } from "./composer.js";
import { el, fill, icon, iconButton } from "./dom.js";
import { createHome } from "./home.js";
import { createList } from "./messages.js";
import { mrkdwn } from "./mrkdwn.js";
import { go } from "./route.js";
import { isOffline, openDrawer } from "./sidebar.js";
import { appOfUser, channel, learn, names, on, store, titleOf } from "./state.js";
import { attempt } from "./toast.js";

const main = document.getElementById("main");

export function createRoom() {
  const list = createList({ label: "Messages", onThread: (ts) => go({ detail: ts }), intro: () => intro(at.room) });
  const composer = createComposer({ inThread: false });
  const home = createHome();
  const head = el("header", { class: "pane-head" });
  const foot = el("div", { class: "pane-foot" });
  const at = { room: null, app: null, tab: "messages" };
  fill(main, head, list.node, home.node, foot);
  on("channel", (room) => room.id === at.room?.id && ((at.room = room), drawFrame()));
  on("app", (app) => app.app_id === at.app?.app_id && ((at.app = app), drawFrame()));

  function drawFrame() {
    redraw(head, JSON.stringify([at.room, at.app, at.tab]), () => headOf(at));
    list.node.hidden = at.tab !== "messages";
    home.node.hidden = at.tab !== "home";
    foot.hidden = at.tab !== "messages";
    const joined = at.room?.is_im || at.room?.is_member;
    const kind = at.room?.is_archived ? "archived" : joined ? "open" : `join ${at.room?.id}`;
    redraw(foot, kind, () => (kind === "open" ? composer.node : kind === "archived" ? archived() : joinBar(at.room)));
  }

  return {
    list,
    composer,
    home,
    /** Shows a room, or an app's home when `tab` is "home". */
    async show(room, tab) {
      Object.assign(at, { room, tab, app: room.is_im ? appOfUser(room.with) : null });
      drawFrame();
      main.setAttribute("aria-label", titleOf(room));
      composer.aim(room.id, null, `Message ${room.is_im ? "" : "#"}${titleOf(room)}`);
      if (tab === "home") return home.show(at.app);
      if (!list.isAt(room.id)) await list.show(room.id, null, room.unread ? room.last_read : null);
      else list.toEnd();
      return markRead(room.id);
    },
    forget: () => list.forget(),
    current: () => (at.tab === "messages" ? at.room?.id : null),
  };
}

/* Draws again only when `key` changed: a node put back in its place would lose the keyboard. */
function redraw(node, key, draw) {
  if (node.dataset.drawn === key) return;
  node.dataset.drawn = key;
  fill(node, draw());
}

/** Tells the server that this person has seen the room. */
export async function markRead(id) {
  const room = channel(id);
  if (!room || document.hidden || (!room.is_im && !room.is_member)) return;
  const answer = await attempt(() => post("/sandbox/read", { as: store.me.id, channel: id }));
  if (answer?.channel) learn("channel", answer.channel);
}

function headOf({ room, app, tab }) {
  if (!room) return [];
  const members = room.members?.length ?? 0;
  const sub = app ? null : room.is_im ? store.people.get(room.with)?.title : room.topic || room.purpose;
  return [
    iconButton("menu", "Open the menu", openDrawer, { class: "phone-only" }),
    el("div", { class: "pane-title" },
      el("h1", {}, !room.is_im && icon(room.is_private ? "lock" : "hash"), titleOf(room), app && el("span", { class: "badge" }, "app")),
      sub && el("p", { class: "pane-topic" }, mrkdwn(sub, names))),
    app && isOffline(app) && el("span", { class: "offline", role: "status" }, icon("warn"), "not connected"),
    app?.has_home && tabs(tab),
    !room.is_im && el("span", { class: "members", title: `${members} members` }, `${members} members`),
  ];
}

function tabs(current) {
  const tab = (name, label) => el("button", {
    type: "button", class: "tab", aria: { current: current === name ? "page" : null }, on: { click: () => go({ detail: name === "home" ? "home" : "" }) },
  }, label);
  return el("nav", { class: "tabs", aria: { label: "App" } }, tab("home", "Home"), tab("messages", "Messages"));
}

function intro(room) {
  if (!room) return null;
  const text = room.is_im ? `This is the beginning of your messages with ${titleOf(room)}.` : `This is the beginning of #${titleOf(room)}.`;
  return el("div", { class: "intro" }, el("b", {}, text), room.purpose && el("p", {}, mrkdwn(room.purpose, names)));
}

function archived() {
  return el("p", { class: "foot-note" }, "This channel is archived. It can be read, not written to.");
}

function joinBar(room) {
  if (!room) return null;
  return el("div", { class: "join" }, el("span", {}, "You are not in ", el("b", {}, `#${room.name}`), "."),
    el("button", { type: "button", class: "button primary", on: { click: () => attempt(async () => learn("channel", (await post("/sandbox/join", { as: store.me.id, channel: room.id })).channel)) } }, "Join channel"));
}
