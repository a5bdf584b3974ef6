// Say in words what a link would do, and what is known of the page behind it.
"use strict";

const MARK_WORDS = {
  dead: "Gone", moved: "Moved", large: "Large", external: "Another site", known: "In your collection", read: "Read", changed: "Changed since you read it",
};
const FILE = /\.(zip|gz|bz2|xz|zst|7z|rar|tar|tgz|deb|rpm|dmg|exe|msi|apk|iso|jar|mp3|mp4|mkv|webm|ogg|flac|wav|epub|docx?|xlsx?|pptx?|odt|ods|odp)$/i;
const SHORT_DAY = { year: "numeric", month: "long", day: "numeric" };
const UNITS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];
const MOST_CHARACTERS = 300;
const MOST_HOPS_SHOWN = 3;

// Return the link's address, whose page has a card; "" if it leads to no other page.
function findTarget(link, here = dropFragment(location.href)) {
  const address = link.href; // of a link in a drawing, this is no text
  if (typeof address !== "string" || !(address.startsWith("http:") || address.startsWith("https:"))) return "";
  const target = dropFragment(address);
  return target === here ? "" : target;
}

function dropFragment(address) {
  const at = address.indexOf("#");
  return at < 0 ? address : address.slice(0, at);
}

// Return what following the link does beyond opening a page in this window; "" if nothing.
function describeAction(link) {
  const address = String(link.href);
  if (/^mailto:/i.test(address)) return `Writes a mail to ${cut(decode(address.slice(7).replace(/\?.*$/s, "")))}`;
  if (/^tel:/i.test(address)) return `Calls ${cut(decode(address.slice(4)))}`;
  if (/^javascript:/i.test(address)) return "Runs a script of this page";
  if (/^(data|blob):/i.test(address)) return "Opens what this page has made";
  if (!/^https?:/i.test(address)) return `Opens another program (${cut(address.split(":")[0])})`;
  const does = [];
  if (!findTarget(link)) does.push("Jumps to a place on this page");
  if (link.hasAttribute("download") || FILE.test(pathOf(address))) does.push("Downloads a file");
  if (/^_blank$/i.test(link.target)) does.push("Opens a new window");
  return does.join(" · ");
}

function pathOf(address) {
  try {
    return new URL(address).pathname;
  } catch {
    return "";
  }
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cut(text, most = MOST_CHARACTERS) {
  const characters = [...String(text ?? "").replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim()];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

// Return the state of a card in a few words, with the tone of each: bad, mild or good.
function listStates(card, marks) {
  const states = [];
  if (card.gone) states.push(["Gone", "bad"]);
  else if (card.failure) states.push([`Not reached (${cut(card.failure, 40)})`, "bad"]);
  if (card.redirects?.length) states.push(["Moved", "mild"]);
  for (const topic of (card.topics ?? []).filter((one) => Number(one.score) >= 0.5)) states.push([cut(topic.name, 40), "good"]);
  for (const name of ["external", "read", "changed"].filter((one) => marks.includes(one))) states.push([MARK_WORDS[name], "mild"]);
  return states;
}

// Return label and value of each fact that is known.
function listFacts(card) {
  const count = (number) => new Intl.NumberFormat("en").format(number);
  const facts = [
    ["By", cut(card.author, 80)],
    ["Language", nameLanguage(card.language)],
    ["Kind", [kindOf(card), card.bytes ? formatBytes(card.bytes) : "", card.words ? `${count(card.words)} words` : ""].filter(Boolean).join(" · ")],
    ["Changed", formatDay(Date.parse(card.modified))],
    ["Collected", card.fetched_s ? `${formatAge(card.fetched_s)}${card.visits > 1 ? `, ${count(card.visits)} visits` : ""}` : ""],
    ["Leads to", listHops(card.redirects ?? [])],
    ["Links", card.known || card.in_links ? `${count(card.in_links ?? 0)} to it, ${count(card.out_links ?? 0)} from it` : ""],
    ["Place", card.known ? describePlace(card) : ""],
  ];
  return facts.filter(([, value]) => value);
}

function shorten(address) {
  return String(address).replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
}

function kindOf(card) {
  return card.kind === "html" ? "page" : cut(card.kind, 30);
}

function listHops(redirects) {
  const shown = redirects.slice(-MOST_HOPS_SHOWN).map((one) => cut(shorten(one), 120));
  return `${redirects.length > shown.length ? "… → " : ""}${shown.join(" → ")}`;
}

function describePlace(card) {
  const depth = card.depth === 0 ? "a start of the collection" : `${card.depth} ${card.depth === 1 ? "click" : "clicks"} from a start`;
  if (!card.rank) return depth;
  const rank = card.rank >= 0.8 ? "much linked" : card.rank >= 0.5 ? "more linked than most" : "less linked than most";
  return `${depth}, ${rank}`;
}

function nameLanguage(code) {
  if (!code) return "";
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  } catch {
    return cut(code, 20);
  }
}

function formatBytes(bytes) {
  const [size, unit] = bytes >= 1e6 ? [bytes / 1e6, "MB"] : [bytes / 1e3, "kB"];
  return `${size >= 10 ? Math.round(size) : size.toFixed(1)} ${unit}`;
}

function formatDay(timeMs) {
  return Number.isFinite(timeMs) ? new Intl.DateTimeFormat("en-GB", SHORT_DAY).format(timeMs) : "";
}

function formatAge(whenS) {
  const ageS = Date.now() / 1000 - whenS;
  const [unit, seconds] = UNITS.find(([, one]) => ageS >= one) ?? ["minute", 60];
  return ageS < 60 ? "just now" : new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(ageS / seconds), unit);
}
