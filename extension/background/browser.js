// The interface of the browser, whichever it is: Firefox calls it `browser`, Chromium `chrome`; both return promises.

export const browser = globalThis.browser ?? globalThis.chrome;
