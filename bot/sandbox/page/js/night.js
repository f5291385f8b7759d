/* The slim bar at the top that tells the story of a demo: where the night stands and what a person
   could do outside the chat. Hidden where no demo is served. */

import { ApiError, get, post } from "./api.js";
import { el, fill, icon } from "./dom.js";
import { attempt } from "./toast.js";

const EVERY_MS = 1500;
const bar = document.getElementById("night");
let drawn = "";
let open = false;

/** Looks once; if there is a story, keeps telling it. */
export async function startNight() {
  let state;
  try {
    state = await get("/demo/state");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "unreachable" || !bar.hidden) setTimeout(startNight, EVERY_MS * 2);
    return; // no demo here
  }
  draw(state);
  setTimeout(startNight, EVERY_MS);
}

function draw(state) {
  const now = JSON.stringify(state);
  if (now === drawn) return;
  drawn = now;
  const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  bar.hidden = false;
  fill(bar, top(state), details(state));
  if (focused) bar.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function top(state) {
  const steps = state.steps ?? [];
  const done = steps.filter((s) => s.state === "done").length;
  const toggle = el("button", {
    type: "button", class: "night-toggle", data: { key: "toggle" },
    aria: { expanded: open, controls: "night-details", label: `The story, ${done} of ${steps.length} steps done` },
    on: { click: () => setOpen(!open) },
  }, el("span", { class: "dots", aria: { hidden: true } }, steps.map((s) => el("i", { class: s.state }))), "Story", icon("chevron"));
  return el("div", { class: "night-top" },
    el("span", { class: "night-sign", aria: { hidden: true } }, icon("moon")),
    el("span", { class: "night-clock" }, state.clock),
    el("p", { class: "night-note", role: "status" }, el("b", {}, state.title), " ", state.note),
    steps.length > 0 && toggle,
    el("div", { class: "night-actions" }, (state.actions ?? []).map(action)));
}

function action(item) {
  const style = item.style === "danger" ? "danger" : item.style === "primary" ? "primary" : "";
  const hint = item.hint && el("span", { class: "unseen", id: `hint-${item.id}` }, item.hint);
  const node = el("button", {
    type: "button", class: `button ${style}`, title: item.hint, data: { key: item.id }, disabled: item.enabled === false, aria: { describedby: hint ? `hint-${item.id}` : null },
  }, item.label);
  node.addEventListener("click", async () => {
    node.setAttribute("aria-busy", "true");
    await attempt(() => post("/demo/action", { id: item.id, as: item.as }));
    node.removeAttribute("aria-busy");
    await attempt(async () => draw(await get("/demo/state")));
  });
  return [node, hint];
}

function details(state) {
  const hints = (state.actions ?? []).filter((a) => a.hint);
  return el("div", { id: "night-details", class: "night-details", hidden: !open },
    el("ol", {}, (state.steps ?? []).map((s) => el("li", { class: s.state, aria: { current: s.state === "now" ? "step" : null } },
      icon(s.state === "done" ? "check" : s.state === "now" ? "clock" : "dots"),
      el("span", { class: "night-time" }, s.time), el("span", {}, s.text, s.state === "done" && el("span", { class: "unseen" }, " (done)"))))),
    hints.map((a) => el("p", { class: "night-hint" }, el("b", {}, a.label), " – ", a.hint)),
    state.scale_note && el("p", { class: "night-hint" }, state.scale_note));
}

function setOpen(value) {
  open = value;
  bar.querySelector(".night-toggle")?.setAttribute("aria-expanded", String(open));
  bar.querySelector(".night-details").hidden = !open;
}

bar.addEventListener("keydown", (e) => e.key === "Escape" && open && setOpen(false));
document.addEventListener("click", (e) => open && !bar.contains(e.target) && setOpen(false));
