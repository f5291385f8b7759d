/* Generated faces: initials on the person's colour, a square with its sign for an app. */

import { el, icon } from "./dom.js";
import { plain } from "./mrkdwn.js";
import { nameOf, person, store } from "./state.js";

function initials(name) {
  const words = name.replace(/[^\p{L}\p{N} ]/gu, " ").trim().split(/\s+/);
  return ((words[0]?.[0] ?? "?") + (words.length > 1 ? words.at(-1)[0] : "")).toUpperCase();
}

function hue(text) {
  return [...text].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 360, 7);
}

export function personAvatar(someone, size = "") {
  const name = nameOf(someone);
  return el("span", { class: `avatar ${size}`, aria: { hidden: true }, style: { "--hue": hue(someone?.id ?? name) } },
    initials(someone?.real_name || name));
}

export function appAvatar(id, name, sign, size = "") {
  const shown = sign ? plain(sign) : "";
  const face = shown && shown !== sign ? shown : name ? initials(name) : icon("app");
  return el("span", { class: `avatar app ${size}`, aria: { hidden: true }, style: { "--hue": hue(id || name) } }, face);
}

/** The face of whoever sent a message. */
export function senderAvatar(sender, size = "") {
  if (sender.kind === "person") return personAvatar(person(sender.id) ?? { id: sender.id, name: sender.name }, size);
  return appAvatar(sender.id, sender.name, sender.icon, size);
}

/** The face of a user id, person or app. */
export function userAvatar(userId, size = "") {
  const app = [...store.apps.values()].find((a) => a.user_id === userId || a.bot_id === userId);
  return app ? appAvatar(app.app_id, app.name, app.icon, size) : personAvatar(person(userId) ?? { id: userId }, size);
}
