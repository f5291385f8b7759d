/* What a half-typed word can become: commands and their subcommands, people, groups, rooms. */

import { userAvatar } from "./avatar.js";
import { icon } from "./dom.js";
import { appOfUser, nameOf, store } from "./state.js";

const MAX_ROWS = 8;

/** Rows {insert, from, label, hint, face} for the text before the caret, best first. */
export function complete(text, caret, { commands }) {
  const before = text.slice(0, caret);
  if (before.startsWith("/")) return commands ? ofCommands(before).slice(0, MAX_ROWS) : [];
  const m = /(?:^|[\s(])([@#])([\p{L}\p{N}._-]*)$/u.exec(before);
  if (!m) return [];
  const from = caret - m[2].length - 1;
  const rows = m[1] === "@" ? ofPeople(m[2].toLowerCase()) : ofRooms(m[2].toLowerCase());
  return rows.slice(0, MAX_ROWS).map((row) => ({ ...row, from }));
}

function ofCommands(before) {
  const space = before.indexOf(" ");
  if (space < 0) {
    return store.commands.filter((c) => c.command.startsWith(before))
      .map((c) => ({ insert: `${c.command} `, from: 0, label: `${c.command} ${c.usage_hint ?? ""}`.trim(), hint: c.description }));
  }
  const command = store.commands.find((c) => c.command === before.slice(0, space));
  const typed = before.slice(space + 1).toLowerCase();
  return (command?.completions ?? []).filter((c) => c.text.toLowerCase().startsWith(typed) && c.text.toLowerCase() !== typed.trim())
    .map((c) => ({ insert: `${c.text.replace(/\s*[<[{].*$/, "")} `, from: space + 1, label: `${command.command} ${c.text}`, hint: c.description }));
}

function ofPeople(typed) {
  const people = [...store.people.values()].filter((p) => !p.deleted && hit(typed, p.name, nameOf(p), p.real_name))
    .map((p) => ({ insert: `@${p.name} `, label: nameOf(p), hint: appOfUser(p.id) ? "app" : p.title || `@${p.name}`, face: userAvatar(p.id, "small") }));
  const groups = [...store.groups.values()].filter((g) => !g.is_disabled && hit(typed, g.handle, g.name))
    .map((g) => ({ insert: `@${g.handle} `, label: `@${g.handle}`, hint: g.description || g.name, face: icon("hash", "small") }));
  return [...people, ...groups];
}

function ofRooms(typed) {
  return [...store.channels.values()].filter((c) => !c.is_im && !c.is_archived && hit(typed, c.name))
    .map((c) => ({ insert: `#${c.name} `, label: `#${c.name}`, hint: c.purpose || c.topic, face: icon("hash", "small") }));
}

function hit(typed, ...words) {
  return words.filter(Boolean).some((w) => w.toLowerCase().split(/[\s._-]+/).some((part) => part.startsWith(typed)) || w.toLowerCase().startsWith(typed));
}
