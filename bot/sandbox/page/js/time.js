/* Times as the workspace sees them: one zone for everybody, so that the clock in a message and the
   clock in the text of that message agree. */

let zone;

/** Use an IANA zone ("UTC"); without one, the browser's own. */
export function setZone(name) {
  try {
    if (name) new Intl.DateTimeFormat("en-GB", { timeZone: name });
    zone = name || undefined;
  } catch {
    zone = undefined; // an unknown zone must not keep the page from opening
  }
}

function format(seconds, options) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options }).format(new Date(seconds * 1000));
}

export const seconds = (ts) => Number.parseFloat(ts) || 0;
export const clock = (s) => format(s, { hour: "2-digit", minute: "2-digit" });
export const dayKey = (s) => format(s, { year: "numeric", month: "2-digit", day: "2-digit" });
export const day = (s) => format(s, { weekday: "long", day: "numeric", month: "long" });
export const full = (s) => `${day(s)} ${format(s, { year: "numeric" })}, ${format(s, { timeStyle: "medium" })}`;

const PARTS = {
  date_num: (s) => format(s, { year: "numeric", month: "2-digit", day: "2-digit" }).split("/").reverse().join("-"),
  date: (s) => format(s, { day: "numeric", month: "long", year: "numeric" }),
  date_short: (s) => format(s, { day: "numeric", month: "short", year: "numeric" }),
  date_long: (s) => format(s, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  time: clock,
  time_secs: (s) => format(s, { timeStyle: "medium" }),
  ago: (s) => `at ${clock(s)}`,
};

/** Slack's date tokens, e.g. "{date_short_pretty} {time}"; a token it does not know stays visible. */
export function dateTokens(s, pattern) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => {
    const part = PARTS[name.replace(/_pretty$/, "")];
    return part ? part(s) : whole;
  });
}
