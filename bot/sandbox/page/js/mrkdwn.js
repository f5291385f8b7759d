/* Slack's mrkdwn to elements. Entities and code are taken out first, so that a `_` in a dag id or
   in a link never starts an italic; what is left is scanned for *bold*, _italic_ and ~strike~. */

import { el } from "./dom.js";
import { emoji } from "./emoji.js";
import { dateTokens, full } from "./time.js";

/** `&lt;` `&gt;` `&amp;` back to characters: the only three that Slack escapes. */
export function unescape(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Those three characters escaped, as a client does before it posts. */
export function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The address if it may be opened, else null: only http(s) and mailto ever become links. */
export function safeUrl(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

export function link(address, label) {
  const href = safeUrl(address);
  if (!href) return el("span", { class: "dead-link", title: "This address can't be opened from a message" }, label);
  return el("a", { href, target: "_blank", rel: "noreferrer noopener nofollow" }, label);
}

/** A whole text. `names` answers person(id), channel(id), usergroup(id) with {name, me?} or null. */
export function mrkdwn(text, names) {
  const out = document.createDocumentFragment();
  String(text ?? "").replace(/[\uE000\uE001]/g, "").split(/```\n?([\s\S]*?)\n?```\n?/).forEach((part, i) => {
    if (i % 2) out.append(el("pre", { class: "code", tabindex: 0 }, el("code", {}, plainEntities(part))));
    else if (part) out.append(paragraphs(part, names));
  });
  return out;
}

/** Only emoji and the three escapes: what a plain_text object may hold. */
export function plain(text, withEmoji = true) {
  const body = String(text ?? "");
  return withEmoji ? body.replace(/:([a-z0-9_+'-]+):/g, (whole, name) => emoji(name) ?? whole) : body;
}

/** A text object of Block Kit: {type, text}. */
export function textObject(object, names) {
  if (!object) return "";
  return object.type === "mrkdwn" ? mrkdwn(object.text, names) : plain(object.text, object.emoji !== false);
}

/** One line of a message without any marks, for previews and screen readers. */
export function strip(text, names) {
  return mrkdwn(text, names).textContent.replace(/\s+/g, " ").trim();
}

function plainEntities(text) {
  return unescape(text.replace(/<([^<>\n|]+)(?:\|([^<>\n]*))?>/g, (_, target, label) => label || target));
}

const QUOTE = /^(?:&gt;|>) ?/;
const QUOTE_REST = /^(?:&gt;|>){3} ?/;

function paragraphs(text, names) {
  const out = document.createDocumentFragment();
  const lines = text.split("\n");
  let quote = null;
  let rest = false;
  lines.forEach((line, i) => {
    rest ||= QUOTE_REST.test(line);
    const quoted = rest || QUOTE.test(line);
    if (quoted && !quote) out.append((quote = el("blockquote")));
    if (!quoted) quote = null;
    const target = quote ?? out;
    if (target.lastChild && target.lastChild.nodeName !== "BLOCKQUOTE") target.append(el("br"));
    if (line || i < lines.length - 1) target.append(inline(line.replace(rest ? QUOTE_REST : QUOTE, ""), names));
  });
  return out;
}

const ATOM = /`([^`\n]+)`|<([^<>\n]+)>/g;
const MARKS = [
  ["b", /(?<![\w*])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])/],
  ["em", /(?<![\w_])_([^\s_](?:[^_\n]*[^\s_])?)_(?![\w_])/],
  ["s", /(?<![\w~])~([^\s~](?:[^~\n]*[^\s~])?)~(?![\w~])/],
];

/** One line of mrkdwn. */
export function inline(line, names) {
  const atoms = [];
  const rest = line.replace(ATOM, (whole, code, entity) => {
    atoms.push(code === undefined ? entityNode(entity, whole, names) : el("code", { class: code.length <= 28 ? "short" : null }, plainEntities(code)));
    return `\uE000${atoms.length - 1}\uE001`;
  });
  return marks(rest, atoms);
}

function marks(text, atoms) {
  const out = document.createDocumentFragment();
  const found = MARKS.map(([tag, re]) => [tag, re.exec(text)]).filter(([, m]) => m);
  if (!found.length) return leaves(text, atoms, out);
  const [tag, m] = found.reduce((a, b) => (b[1].index < a[1].index ? b : a));
  leaves(text.slice(0, m.index), atoms, out);
  out.append(el(tag, {}, marks(m[1], atoms)));
  out.append(marks(text.slice(m.index + m[0].length), atoms));
  return out;
}

const LEAF = /\uE000(\d+)\uE001|(https?:\/\/[^\s<>\uE000]*[^\s<>\uE000.,;:!?)\]}'"])|:([a-z0-9_+'-]+):/g;

function leaves(text, atoms, out) {
  let at = 0;
  for (const m of text.matchAll(LEAF)) {
    if (m.index > at) out.append(unescape(text.slice(at, m.index)));
    if (m[1] !== undefined) out.append(atoms[Number(m[1])]);
    else if (m[2]) out.append(link(unescape(m[2]), unescape(m[2])));
    else out.append(emoji(m[3]) ?? m[0]);
    at = m.index + m[0].length;
  }
  if (at < text.length) out.append(unescape(text.slice(at)));
  return out;
}

function entityNode(body, whole, names) {
  const [target, label] = splitOnce(body, "|");
  if (target.startsWith("@")) return mention("@", names?.person(target.slice(1)), label || target.slice(1));
  if (target.startsWith("#")) return mention("#", names?.channel(target.slice(1)), label || target.slice(1));
  if (target.startsWith("!")) return special(target.slice(1), label, names);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return unescape(whole);
  return link(unescape(target), unescape(label || target.replace(/^mailto:/, "")));
}

function special(target, label, names) {
  const [kind, ...args] = target.split("^");
  if (kind === "date") return date(args, label);
  if (kind === "subteam") return mention("@", names?.usergroup(args[0]), (label || args[0] || "group").replace(/^@/, ""));
  if (["here", "channel", "everyone"].includes(kind)) return el("span", { class: "mention loud" }, `@${kind}`);
  return unescape(label || `<!${target}>`);
}

function date([stamp, pattern, address], fallback) {
  const s = Number(stamp);
  if (!Number.isFinite(s) || !pattern) return unescape(fallback || "");
  const node = el("time", { title: full(s), datetime: new Date(s * 1000).toISOString() }, dateTokens(s, pattern));
  return address ? link(unescape(address), node) : node;
}

export function mention(sign, known, fallback) {
  const name = known?.name ?? unescape(fallback);
  return el("span", { class: known?.me ? "mention me" : "mention" }, `${sign}${name.replace(/^[@#]/, "")}`);
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
