// Show what is known of a node, and what it is linked with.
"use strict";

{
const { state, count, say, fetchJson, line, bench, panel, selectionForm, which } = Workbench;

async function openNode(key) {
  const own = state.graph.getNodeAttributes(key);
  const place = own.group === undefined ? { more: {}, node: Number(key) } : { more: own.of, node: own.node };
  if (own.group === undefined) state.current = state.byRank.indexOf(place.node);
  let facts;
  try {
    const stamp = own.group === undefined ? state.picture.stamp : own.stamp;
    facts = await fetchJson("node", { ...place.more, stamp, node: place.node });
  } catch (error) {
    return reloadOrSay(error);
  }
  labelNode(key, facts.title || facts.url);
  showFacts(facts, own.group === undefined);
}

function labelNode(key, text) {
  state.graph.setNodeAttribute(key, "label", text.slice(0, 120));
}

function heading(text, level) {
  const head = document.createElement(level);
  head.dir = "auto";
  head.textContent = text;
  return head;
}

function link(href, text) {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  return anchor;
}

function showFacts(facts, isHere) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.setAttribute("aria-label", "Close the facts");
  close.textContent = "×";
  close.addEventListener("click", closePanel);
  const title = heading(facts.title || facts.url || "Untitled", "h2");
  title.tabIndex = -1;
  const parts = [close, title, ...(facts.pictured ? [pictureOf(facts)] : []), factLinks(facts)];
  if (facts.text) {
    const text = heading(facts.text, "p");
    text.className = "beginning";
    parts.push(text);
  }
  parts.push(factTable(facts.facts));
  parts.push(neighbours("Links from here", facts.out, isHere), neighbours("Links to here", facts.in, isHere));
  panel.replaceChildren(...parts);
  panel.hidden = false;
  bench.classList.add("with-panel");
  title.focus({ preventScroll: window.innerWidth > 900 });
}

function pictureOf(facts) {
  const image = document.createElement("img");
  image.className = "thumbnail";
  image.width = 120;
  image.height = 90;
  image.loading = "lazy";
  image.alt = `Picture of ${facts.title || facts.url}`;
  image.src = `/picture?${new URLSearchParams({ url: facts.url })}`;
  return image;
}

function factLinks(facts) {
  const row = document.createElement("p");
  row.className = "row";
  const query = facts.url ? new URLSearchParams({ url: facts.url }) : "";
  if (facts.url) {
    row.append(link(`/console/explain?${query}`, "Explain"));
    if (facts.archive) row.append(link(`/cached?${query}`, "Cached copy"));
    row.append(link(`/workbench/around?${query}`, "Around it"));
  }
  if (facts.within) row.append(link(`/workbench?${new URLSearchParams({ level: "pages", links: which.links, within: facts.within })}`, "Open its pages"));
  return row;
}

function factTable(facts) {
  const list = document.createElement("dl");
  for (const [name, value] of facts) {
    if (value === "") continue;
    list.append(heading(name, "dt"), heading(value, "dd"));
  }
  return list;
}

function neighbours(name, links, isHere) {
  const part = document.createElement("details");
  part.open = links.count > 0 && links.count <= 12;
  part.append(heading(`${name} (${count(links.count)})`, "summary"));
  const list = document.createElement("ul");
  for (const one of links.nodes) {
    const item = document.createElement("li");
    const text = one.title || one.url;
    if (isHere) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(line(text));
      button.addEventListener("click", () => {
        Workbench.goTo(String(one.node));
        openNode(String(one.node));
      });
      item.append(button);
    } else item.append(line(text));
    list.append(item);
  }
  if (links.count > links.nodes.length) {
    const more = document.createElement("li");
    more.className = "small";
    more.textContent = `… and ${count(links.count - links.nodes.length)} more`;
    list.append(more);
  }
  part.append(list);
  return part;
}

function closePanel() {
  panel.hidden = true;
  bench.classList.toggle("with-panel", !selectionForm.hidden);
}

function reloadOrSay(error) {
  say(error.message === "reload" ? "The picture has changed: reload the page." : error.message);
}

Object.assign(Workbench, { openNode, labelNode, closePanel, reloadOrSay });
}
