// What a tab asked for is stopped when its reader moves on: to another link, to another page, or away.

const running = new Map();

// Begin a request of one kind for a tab, and return its signal; the one before of that kind is stopped.
export function beginRequest(tab, kind) {
  stopRequest(tab, kind);
  return joinRequest(tab, kind);
}

// Return the signal of what a tab asks for now, without stopping it.
export function joinRequest(tab, kind) {
  const key = `${tab} ${kind}`;
  if (!running.has(key)) running.set(key, new AbortController());
  return running.get(key).signal;
}

export function stopRequest(tab, kind) {
  running.get(`${tab} ${kind}`)?.abort();
  running.delete(`${tab} ${kind}`);
}

export function stopTab(tab) {
  for (const kind of ["card", "page"]) stopRequest(tab, kind);
}
