/* rich_text blocks: sections, lists, quotes and preformatted parts. Their text is not escaped. */

import { el } from "./dom.js";
import { emoji } from "./emoji.js";
import { link, mention } from "./mrkdwn.js";
import { dateTokens } from "./time.js";

const PARTS = {
  rich_text_section: (part, names) => el("div", { class: "rt-section" }, leaves(part.elements, names)),
  rich_text_quote: (part, names) => el("blockquote", {}, leaves(part.elements, names)),
  rich_text_preformatted: (part, names) => el("pre", { class: "code", tabindex: 0 }, el("code", {}, leaves(part.elements, names))),
  rich_text_list: list,
};

/** The parts of a rich_text block. */
export function richText(parts, names) {
  return (parts ?? []).map((part) => (PARTS[part.type] ?? unknown)(part, names));
}

function list(part, names) {
  const tag = part.style === "ordered" ? "ol" : "ul";
  const start = tag === "ol" && part.offset ? part.offset + 1 : null;
  return el(tag, { class: "rt-list", start, style: { "--indent": part.indent ?? 0 } },
    (part.elements ?? []).map((item) => el("li", {}, leaves(item.elements, names))));
}

const LEAVES = {
  text: (leaf) => leaf.text,
  raw_text: (leaf) => leaf.text,
  link: (leaf) => link(leaf.url, leaf.text || leaf.url),
  user: (leaf, names) => mention("@", names.person(leaf.user_id), leaf.user_id),
  usergroup: (leaf, names) => mention("@", names.usergroup(leaf.usergroup_id), leaf.usergroup_id),
  channel: (leaf, names) => mention("#", names.channel(leaf.channel_id), leaf.channel_id),
  broadcast: (leaf) => el("span", { class: "mention loud" }, `@${leaf.range}`),
  emoji: (leaf) => emoji(leaf.name) ?? `:${leaf.name}:`,
  color: (leaf) => el("code", {}, leaf.value),
  date: (leaf) => dateTokens(leaf.timestamp, leaf.format),
};

function leaves(elements, names) {
  return (elements ?? []).map((leaf) => styled((LEAVES[leaf.type] ?? ((l) => l.text ?? ""))(leaf, names), leaf.style ?? {}));
}

function styled(node, { bold, italic, strike, code }) {
  const tags = [code && "code", bold && "b", italic && "em", strike && "s"].filter(Boolean);
  return tags.reduce((inner, tag) => el(tag, {}, inner), node);
}

function unknown(part) {
  return el("p", { class: "b-unknown" }, `This page does not draw “${part.type}”.`);
}
