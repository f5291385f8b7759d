/* Block Kit to elements. A scope says whose blocks these are and how a click travels:
   {act(block, element, payload), form, errors, names}. */

import { element } from "./elements.js";
import { el, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { mrkdwn, safeUrl, textObject } from "./mrkdwn.js";
import { richText } from "./richtext.js";
import { dataTable, table } from "./table.js";

const KINDS = {
  section, header, context, actions, input, image, container, alert, card,
  divider: () => el("hr", { class: "b-divider" }),
  rich_text: (block, scope) => el("div", { class: "b-rich" }, richText(block.elements, scope.names)),
  markdown: (block) => el("div", { class: "b-markdown" }, markdown(block.text)),
  table: (block, scope) => table(block, scope.names),
  data_table: (block, scope) => dataTable(block, scope.names),
  context_actions: actions,
  plan: (block, scope) => tasks(block.title, block.tasks ?? [], scope),
  task_card: (block, scope) => tasks(null, [block], scope),
};

/** All blocks of a message, an attachment or a view. */
export function blocks(list, scope) {
  const out = document.createDocumentFragment();
  for (const block of list ?? []) {
    const node = (KINDS[block.type] ?? unknown)(block, scope);
    if (block.block_id) node.dataset.block = block.block_id;
    out.append(node);
  }
  return out;
}

function text(object, scope) {
  return textObject(object, scope.names);
}

function section(block, scope) {
  const fields = block.fields?.length
    ? el("div", { class: "b-fields" }, block.fields.map((f) => el("div", { class: "b-field" }, text(f, scope)))) : null;
  const body = el("div", { class: "b-section-body" },
    block.text && el("div", { class: "b-text" }, text(block.text, scope)), fields);
  const side = block.accessory && el("div", { class: "b-accessory" }, element(block.accessory, block, scope));
  return el("div", { class: side ? "b-section with-accessory" : "b-section" }, body, side);
}

function header(block, scope) {
  return el("h3", { class: "b-header" }, text(block.text, scope));
}

function context(block, scope) {
  return el("div", { class: "b-context" }, block.elements.map((item) =>
    item.type === "image" ? tinyImage(item) : el("span", { class: "b-context-item" }, text(item, scope))));
}

function actions(block, scope) {
  return el("div", { class: "b-actions" }, block.elements.map((item) => element(item, block, scope)));
}

function input(block, scope) {
  const problem = scope.errors?.[block.block_id];
  const id = `in-${block.block_id}`;
  const field = element(block.element, block, scope, { id, described: problem ? `${id}-error` : block.hint ? `${id}-hint` : null, invalid: Boolean(problem) });
  const group = ["radio_buttons", "checkboxes"].includes(block.element.type);
  const label = [text(block.label, scope), block.optional && el("span", { class: "optional" }, " (optional)")];
  return el(group ? "fieldset" : "div", { class: problem ? "b-input invalid" : "b-input" },
    group ? el("legend", { class: "b-label" }, label) : el("label", { class: "b-label", for: id }, label),
    field,
    problem && el("p", { class: "b-error", id: `${id}-error`, role: "alert" }, icon("warn"), problem),
    block.hint && el("p", { class: "b-hint", id: `${id}-hint` }, text(block.hint, scope)));
}

/* Remote pictures are not fetched: the page speaks to this machine only. The words stand in. */
function image(block, scope) {
  const local = (block.image_url ?? "").startsWith("data:image/");
  const caption = block.title && el("figcaption", {}, text(block.title, scope));
  if (local) return el("figure", { class: "b-image" }, caption, el("img", { src: block.image_url, alt: block.alt_text ?? "" }));
  const where = safeUrl(block.image_url ?? "");
  return el("figure", { class: "b-image" }, caption,
    el("div", { class: "b-image-box", role: "img", aria: { label: block.alt_text } }, icon("image"),
      el("span", {}, block.alt_text || "Image", where && el("small", {}, `not fetched from ${new URL(where).host}`))));
}

function tinyImage(item) {
  const local = (item.image_url ?? "").startsWith("data:image/");
  if (local) return el("img", { class: "b-tiny", src: item.image_url, alt: item.alt_text ?? "" });
  return el("span", { class: "b-tiny", role: "img", title: item.alt_text, aria: { label: item.alt_text } }, icon("image"));
}

function container(block, scope) {
  const children = block.child_blocks ?? block.blocks ?? [];
  const title = block.title && text(block.title, scope);
  if (!block.is_collapsible) return el("div", { class: "b-container" }, title && el("h4", {}, title), blocks(children, scope));
  return el("details", { class: "b-container", open: !block.default_collapsed },
    el("summary", {}, title || "Details"), el("div", {}, blocks(children, scope)));
}

function alert(block, scope) {
  return el("div", { class: `b-alert ${block.level ?? ""}`, role: "note" }, icon("warn"), el("div", {}, text(block.text, scope)));
}

function card(block, scope) {
  return el("div", { class: "b-container" },
    block.title && el("h4", {}, text(block.title, scope)), block.subtitle && el("p", { class: "b-hint" }, text(block.subtitle, scope)),
    block.body && el("div", {}, text(block.body, scope)),
    block.actions && el("div", { class: "b-actions" }, block.actions.map((item) => element(item, block, scope))));
}

const TASK_SIGNS = { complete: "check", error: "warn", in_progress: "clock", pending: "dots" };

function tasks(title, list, scope) {
  return el("div", { class: "b-container" }, title && el("h4", {}, typeof title === "string" ? title : text(title, scope)),
    el("ul", { class: "b-tasks" }, list.map((task) => el("li", { class: task.status },
      icon(TASK_SIGNS[task.status] ?? "dots"),
      el("div", {}, el("span", {}, task.title ?? ""), el("span", { class: "unseen" }, ` (${task.status ?? "pending"})`),
        task.details && richText(task.details.elements ?? [], scope.names))))));
}

function unknown(block) {
  return el("p", { class: "b-unknown" }, `This page does not draw “${block.type}” blocks.`);
}

/** Classic attachments: a coloured edge, then title, text, fields, blocks, footer. */
export function attachments(list, scope) {
  return (list ?? []).map((a) => {
    const title = a.title && (safeUrl(a.title_link ?? "")
      ? el("a", { class: "a-title", href: safeUrl(a.title_link), target: "_blank", rel: "noreferrer noopener nofollow" }, mrkdwn(a.title, scope.names))
      : el("span", { class: "a-title" }, mrkdwn(a.title, scope.names)));
    const hasBlocks = a.blocks?.length > 0;
    const inner = el("div", { class: "a-body" },
      a.author_name && el("div", { class: "a-author" }, a.author_name), title,
      !hasBlocks && (a.text || a.fallback) && (a.text || !title) && el("div", {}, mrkdwn(a.text || a.fallback, scope.names)),
      a.fields?.length && el("div", { class: "b-fields" }, a.fields.map((f) =>
        el("div", { class: f.short === false ? "b-field wide" : "b-field" }, el("b", {}, mrkdwn(f.title, scope.names)), el("br"), mrkdwn(f.value, scope.names)))),
      hasBlocks && blocks(a.blocks, scope),
      a.footer && el("div", { class: "a-footer" }, mrkdwn(a.footer, scope.names)));
    const box = el("div", { class: "attachment", style: { "--edge": edge(a.color) } }, inner);
    return [a.pretext && el("div", { class: "a-pretext" }, mrkdwn(a.pretext, scope.names)), box];
  });
}

function edge(color) {
  const named = { good: "#2e8b57", warning: "#c98a00", danger: "#b3261e" }[color];
  return named ?? (/^#?[0-9a-f]{6}$/i.test(color ?? "") ? `#${color.replace("#", "")}` : null);
}
