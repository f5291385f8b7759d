/* The one place that talks to the workspace server. Every answer is {ok, …}; a refusal becomes an
   `ApiError` whose message is the server's sentence for a person. */

export class ApiError extends Error {
  constructor(code, message, body = {}) {
    super(message);
    this.code = code;
    this.body = body;
  }
}

const UNREACHABLE = "The workspace did not answer, so this may not have arrived. Is it still running?";

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new ApiError("unreachable", UNREACHABLE);
  }
  const body = await response.json().catch(() => ({ ok: false, error: `http_${response.status}` }));
  if (!response.ok || body.ok === false) throw refusal(body, response.status);
  return body;
}

function refusal(body, status) {
  const code = body.error ?? `http_${status}`;
  const known = { operation_timeout: "The app did not answer in time. Try again, or look whether it is running." };
  return new ApiError(code, body.message ?? known[code] ?? `The workspace refused this (${code}).`, body);
}

export function get(path, query = {}) {
  const params = new URLSearchParams(Object.entries(query).filter(([, v]) => v != null && v !== ""));
  return request(`${path}?${params}`, { headers: { accept: "application/json" } });
}

export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const EVENTS = [
  "message", "message_changed", "message_deleted", "ephemeral", "ephemeral_changed", "ephemeral_deleted",
  "view_opened", "view_updated", "view_closed", "home", "channel", "person", "app", "toast",
];

/** Listens until closed. `onEvent(name, data)`; `onLine(up)`: the line is there or not. Each time it
    comes up, what happened while it was not there has to be fetched. */
export function listen(as, onEvent, onLine) {
  let source;
  let closed = false;
  let wait = 500;
  const open = () => {
    source = new EventSource(`/sandbox/stream?${new URLSearchParams({ as })}`);
    source.onopen = () => {
      onLine(true);
      wait = 500;
    };
    source.onerror = () => {
      source.close();
      if (closed) return;
      onLine(false);
      setTimeout(() => closed || open(), wait);
      wait = Math.min(wait * 2, 8000);
    };
    for (const name of EVENTS) source.addEventListener(name, (e) => closed || onEvent(name, JSON.parse(e.data)));
  };
  open();
  return () => {
    closed = true;
    source.close();
  };
}
