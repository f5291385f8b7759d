/* Where one is, in the address: #/ana/data-alerts/1790642460.000100, #/ana/@dw/home. Names rather
   than ids, so that a link can be read and written by hand. */

import { appOfUser, person, store } from "./state.js";

const NOBODY = "-"; // stands in an address that does not say who one is

/** {as, place, detail}: person's name, room's name or @user, and "home" or a thread's ts. */
export function parse(hash = location.hash) {
  const [as = "", place = "", detail = ""] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { as: as === NOBODY ? "" : as, place, detail };
}

/** A permalink (/archives/C1/p1790642460000100?thread_ts=…) as {place, detail}, or null. */
export function fromPermalink(address) {
  const url = new URL(address, location.href);
  const m = /^\/archives\/([^/]+)(?:\/p(\d+)(\d{6}))?\/?$/.exec(url.pathname);
  if (url.origin !== location.origin || !m) return null;
  return { place: m[1], detail: url.searchParams.get("thread_ts") ?? (m[2] ? `${m[2]}.${m[3]}` : "") };
}

function hashOf(change) {
  const next = { ...parse(), ...change };
  const parts = [next.as || NOBODY, next.place, next.detail].filter(Boolean).map(encodeURIComponent);
  return `#/${parts.join("/").replaceAll("%40", "@")}`;
}

/** Moves; the browser's Back undoes it. */
export function go(change) {
  location.hash = hashOf(change);
}

/** Writes where one is without moving. */
export function settle(change) {
  history.replaceState(null, "", hashOf(change));
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
