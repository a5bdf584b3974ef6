// Requests to the server on this machine, with the token, and one sentence with what to do for each way in which they fail.

import { browser } from "./browser.js";
import { readSettings } from "./settings.js";

const VERSION = 1;
const MOST_MS = 15000;
const REST_MS = 20000;
const [WAITS, NOT_PAIRED, NOT_HERE, REFUSED, MISDIRECTED] = [202, 401, 404, 403, 421];
const TURNED_OFF = /gossamer serve --|saved only in a web/;
const UNPAIRED = "This browser is not paired yet: open the options of Gossamer and press “Pair this browser”.";
const REVOKED = "The server does not know this browser any more: open the options of Gossamer and press “Pair this browser”.";
const STOPPED = "Nothing goes to another server than the one on this machine.";

let silentUntilMs = 0;

// What went wrong, as `sentence`; `kind` says it to programs: absent, unpaired, other, refused, off or cancelled.
export class ServerError extends Error {
  constructor(kind, sentence) {
    super(sentence);
    this.kind = kind;
  }
}

export async function readToken() {
  return (await browser.storage.local.get("token")).token ?? "";
}

// Keep the token of a server, and forget what was known of the one before.
export async function keepToken(token, server) {
  await browser.storage.local.set({ token, tokenServer: server });
  silentUntilMs = 0;
}

export async function forgetToken() {
  await browser.storage.local.remove(["token", "tokenServer"]);
}

// Ask the server as a paired browser. `patient` requests are made even if it has just been found silent.
export async function ask(path, { body, signal, patient = false } = {}) {
  const { token = "", tokenServer } = await browser.storage.local.get(["token", "tokenServer"]);
  const { server } = await readSettings();
  if (!token || tokenServer !== server) throw new ServerError("unpaired", UNPAIRED);
  if (!patient && Date.now() < silentUntilMs) throw new ServerError("absent", describeSilence(server));
  const answer = await send(server, path, { body, signal, token });
  return readAnswer(answer, server);
}

// Ask for a picture; it is returned as base64, since messages carry text alone. "" if there is none.
export async function askPicture(path, signal) {
  const { token = "", tokenServer } = await browser.storage.local.get(["token", "tokenServer"]);
  const { server } = await readSettings();
  if (!token || tokenServer !== server) return "";
  const answer = await send(server, path, { signal, token });
  if (!answer.ok || !answer.headers.get("content-type")?.startsWith("image/")) return "";
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

export async function askStranger(path, body) {
  const { server } = await readSettings();
  const answer = await send(server, path, { body });
  return { waits: answer.status === WAITS, ...(await readAnswer(answer, server)) };
}

export async function askStatus() {
  const status = await ask("/api/navigate/status", { patient: true });
  if (status.version !== VERSION) {
    throw new ServerError(
      "other",
      `Extension and server are of different versions (${VERSION} and ${Number(status.version)}): install the extension that belongs to Gossamer ${String(status.program)}.`,
    );
  }
  return status;
}

async function send(server, path, { body, signal, token }) {
  const url = new URL(path, server);
  if (url.origin !== server) throw new ServerError("refused", STOPPED);
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["content-type"] = "application/json";
  const tooLong = AbortSignal.timeout(MOST_MS);
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? undefined : JSON.stringify(body),
      headers,
      signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
      // A redirect could lead to another host.
      redirect: "error",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    silentUntilMs = 0;
    return answer;
  } catch (error) {
    if (signal?.aborted) throw new ServerError("cancelled", "The request was cancelled.");
    // A page that is opened meanwhile need not find out anew.
    silentUntilMs = Date.now() + REST_MS;
    if (error.name === "TimeoutError") {
      throw new ServerError("absent", `Gossamer at ${server} did not answer within ${MOST_MS / 1000} seconds: it may be busy; try again, or start “gossamer serve” anew.`);
    }
    throw new ServerError("absent", describeSilence(server));
  }
}

function describeSilence(server) {
  return `Gossamer does not run at ${server}: start it with “gossamer serve --web YOUR.web”, or change the address in the options.`;
}

async function readAnswer(answer, server) {
  const given = await answer.json().catch(() => null);
  if (answer.ok && given) return given;
  const sentence = typeof given?.error === "string" ? given.error : "";
  if (answer.status === NOT_PAIRED) throw new ServerError("unpaired", REVOKED);
  // The server was started anew without something that it had announced.
  if (answer.status === NOT_HERE && TURNED_OFF.test(sentence)) throw new ServerError("off", finish(sentence));
  if ((answer.status === NOT_HERE && !sentence.includes("with this code")) || !given) {
    throw new ServerError("other", `What answers at ${server} is another program or an older Gossamer: start “gossamer serve” of this version there, or change the address in the options.`);
  }
  if (answer.status === REFUSED || answer.status === MISDIRECTED) {
    throw new ServerError("refused", `Gossamer at ${server} refuses extensions: ${sentence}`);
  }
  throw new ServerError("failed", finish(sentence) || "Gossamer could not answer; its log has the details.");
}

function finish(sentence) {
  const text = sentence.trim();
  return text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?”]$/.test(text) ? "" : "."}`;
}
