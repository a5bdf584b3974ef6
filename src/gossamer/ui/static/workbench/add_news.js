// Add what is new while a crawl runs.
"use strict";

{
const { state, say, fetchJson, ASK_S } = Workbench;

async function askForNews() {
  if (!document.hidden) {
    try {
      const news = await fetchJson("news", { stamp: state.picture.stamp, known_nodes: state.picture.nodes, known_links: state.picture.sources.length });
      if (news.reload) {
        if (!state.picture.nodes) return void window.location.reload();
        say("The web has changed much: reload the page to see it.");
        return;
      }
      addNews(news);
    } catch (error) {
      /* the server may be restarting: ask again */
    }
  }
  setTimeout(askForNews, ASK_S * 1000);
}

function addNews(news) {
  const before = state.picture.nodes;
  if (news.nodes === before && !news.sources.length) return;
  if (!before) return window.location.reload(); // its columns are not known yet
  state.picture.nodes = news.nodes;
  state.picture.x.push(...news.x);
  state.picture.y.push(...news.y);
  for (const [name, codes] of Object.entries(news.columns)) {
    const column = state.picture.columns.get(name);
    if (column) column.codes.push(...codes);
  }
  for (const [node, text] of Object.entries(news.labels)) state.picture.labels.set(Number(node), text);
  const first = state.picture.sources.length;
  state.picture.sources = [...state.picture.sources, ...news.sources];
  state.picture.targets = [...state.picture.targets, ...news.targets];
  state.picture.all_links = Math.max(state.picture.all_links, state.picture.sources.length);
  if (!state.renderer) return;
  if (state.shown) state.shown = Uint8Array.from({ length: state.picture.nodes }, (_, node) => (node < before ? state.shown[node] : 1));
  for (let node = before; node < state.picture.nodes; node++) {
    Workbench.addNode(node);
    state.byRank.push(node);
  }
  for (let at = 0; at < news.sources.length; at++)
    state.graph.addDirectedEdgeWithKey(String(first + at), String(news.sources[at]), String(news.targets[at]), {});
  if (Workbench.hasFilter()) Workbench.applyFilter();
  else Workbench.tellSize();
}

Object.assign(Workbench, { askForNews });
}
