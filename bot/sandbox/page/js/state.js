/* What the page knows of the workspace for the person it acts as. Parts of the page subscribe to
   the names in `emit`; nothing here touches the document. */

import { get } from "./api.js";
import { setZone } from "./time.js";

export const store = {
  me: null,
  team: { name: "Workspace" },
  people: new Map(),
  apps: new Map(),
  channels: new Map(),
  groups: new Map(),
  commands: [],
  homes: new Map(),
  views: [],
  route: { as: "", place: "", detail: "" },
};

const bus = new EventTarget();
export const on = (name, f) => bus.addEventListener(name, (e) => f(e.detail));
export const emit = (name, detail) => bus.dispatchEvent(new CustomEvent(name, { detail }));

const byId = (rows, key = "id") => new Map((rows ?? []).map((row) => [row[key], row]));

/** Loads everything about the workspace as this person sees it. */
export async function load(as) {
  const answer = await get("/sandbox/state", { as });
  setZone(answer.me?.tz || "UTC");
  Object.assign(store, {
    me: answer.me,
    team: answer.team ?? store.team,
    people: byId(answer.people),
    apps: byId(answer.apps, "app_id"),
    channels: byId(answer.channels),
    groups: byId(answer.usergroups),
    commands: answer.commands ?? [],
    homes: new Map(Object.entries(answer.homes ?? {})),
    views: answer.views ?? [],
  });
  emit("loaded");
}

export const person = (id) => store.people.get(id);
export const channel = (id) => store.channels.get(id);

/** How a person or an app's bot user is called everywhere on the page. */
export function nameOf(someone) {
  const chosen = someone?.display_name;
  return (chosen && chosen !== someone.name ? chosen : someone?.real_name) || someone?.name || "somebody";
}

/** The app whose bot user this is, or undefined. */
export function appOfUser(userId) {
  return [...store.apps.values()].find((app) => app.user_id === userId);
}

/** People one can be: not bots, not deactivated. */
export function actors() {
  return [...store.people.values()].filter((p) => !p.is_bot && !p.deleted);
}

/** "#data-alerts", or the other person's name. */
export function titleOf(room) {
  if (!room) return "";
  if (room.is_mpim) return room.members.filter((id) => id !== store.me?.id).map((id) => nameOf(person(id))).join(", ");
  if (!room.is_im) return room.name;
  const other = person(room.with);
  return other?.id === store.me?.id ? `${nameOf(other)} (you)` : nameOf(other);
}

/** Resolves what mrkdwn can mention. */
export const names = {
  person(id) {
    const found = person(id);
    return found ? { name: nameOf(found), me: found.id === store.me?.id } : null;
  },
  channel(id) {
    const found = channel(id);
    return found ? { name: titleOf(found) } : null;
  },
  usergroup(id) {
    const found = store.groups.get(id);
    return found ? { name: found.handle, me: found.users.includes(store.me?.id) } : null;
  },
};

/** Puts a changed channel, person or app where the rest of the page finds it. */
export function learn(kind, row) {
  const shelf = { channel: store.channels, person: store.people, app: store.apps }[kind];
  shelf.set(kind === "app" ? row.app_id : row.id, row);
  if (kind === "person" && row.id === store.me?.id) store.me = row;
  emit(kind, row);
}

/** Unread messages over all rooms, for the window's title. */
export function unreadTotal() {
  return [...store.channels.values()].reduce((sum, c) => sum + (c.is_member === false ? 0 : c.unread || 0), 0);
}
