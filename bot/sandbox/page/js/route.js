/* Where one is, in the address: #/ana/data-alerts/1790642460.000100, #/ana/@dw/home. Names rather
   than ids, so that a link can be read and written by hand. */

import { appOfUser, person, store } from "./state.js";

/** {as, place, detail}: person's name, room's name or @user, and "home" or a thread's ts. */
export function parse(hash = location.hash) {
  const [as = "", place = "", detail = ""] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { as, place, detail };
}

/** Moves; a step that can be undone with the browser's Back, unless `replace`. */
export function go(change, { replace = false } = {}) {
  const next = { ...parse(), ...change };
  const hash = `#/${[next.as, next.place, next.detail].filter(Boolean).map(encodeURIComponent).join("/")}`
    .replaceAll("%40", "@");
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The room's part of an address. */
export function placeOf(room) {
  if (!room.is_im) return room.name || room.id;
  return `@${person(room.with)?.name ?? room.with}`;
}

/** What a place means now: {room} (known), {user} (a DM to open) or {}. */
export function resolve(place) {
  const rooms = [...store.channels.values()];
  if (!place.startsWith("@")) return { room: rooms.find((c) => c.name === place || c.id === place) };
  const who = [...store.people.values()].find((p) => p.name === place.slice(1) || p.id === place.slice(1));
  if (!who) return {};
  return { room: rooms.find((c) => c.is_im && c.with === who.id), user: who, app: appOfUser(who.id) };
}
