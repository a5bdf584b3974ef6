// Marks are asked for in batches: what a page wants within a moment goes out as one request.

import { ask } from "./server.js";

const GATHER_MS = 40;
const MOST_LINKS = 2000;
const MOST_CHARACTERS = 2000;
const waiting = new Map();

// Return the marks of some links of the page in a tab, in order.
export function askMarks(tab, page, links, signal) {
  return new Promise((resolve, reject) => {
    const key = `${tab} ${page}`;
    if (!waiting.has(key)) {
      waiting.set(key, []);
      setTimeout(() => sendBatch(key, page, signal), GATHER_MS);
    }
    waiting.get(key).push({ links, resolve, reject });
  });
}

async function sendBatch(key, page, signal) {
  const wants = waiting.get(key);
  waiting.delete(key);
  const links = [...new Set(wants.flatMap((one) => one.links))].filter((link) => link.length <= MOST_CHARACTERS);
  const found = new Map();
  try {
    for (let at = 0; at < links.length; at += MOST_LINKS) {
      const some = links.slice(at, at + MOST_LINKS);
      const { marks } = await ask("/api/navigate/marks", { body: { page, links: some }, signal });
      some.forEach((link, place) => found.set(link, marks[place] ?? []));
    }
    for (const one of wants) one.resolve(one.links.map((link) => found.get(link) ?? []));
  } catch (error) {
    for (const one of wants) one.reject(error);
  }
}
