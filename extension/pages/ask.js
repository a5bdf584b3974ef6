// The way from the pages of the extension to its background.

export const browser = globalThis.browser ?? globalThis.chrome;

// Ask the background; a failure is an answer with `error`, one sentence, and `kind`.
export async function ask(what, given = {}) {
  try {
    return (await browser.runtime.sendMessage({ ask: what, ...given })) ?? { error: "The extension did not answer: load it again.", kind: "silent" };
  } catch {
    return { error: "The extension was loaded anew: close this page and open it again.", kind: "silent" };
  }
}
