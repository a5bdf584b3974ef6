"""The scripts of ours that run in a page: each is one expression, and changes nothing but the scroll position."""

MEASURE = (
    "(() => { const d = document, b = d.body; return d.readyState[0] + ' ' + d.getElementsByTagName('*').length + ' '"
    " + (b ? b.textContent.length : 0) + ' ' + d.documentElement.scrollHeight; })()"
)
"""What changes while a page builds itself, as one short text."""

SCROLL = (
    "(() => { const e = document.scrollingElement || document.documentElement;"
    " if (!e || e.scrollHeight <= innerHeight + 8) return false;"
    " if (e.scrollTop + innerHeight < e.scrollHeight - innerHeight) {"
    "   e.scrollTop += (e.scrollHeight - e.scrollTop) / 2; }"
    " e.scrollTop = e.scrollHeight;"
    " return new Promise(done => { setTimeout(done, 500, true);"
    " requestAnimationFrame(() => requestAnimationFrame(() => done(true))); }); })()"
)
"""Scroll to the end, and wait until the page has heard of it: on a busy machine that may be later than it seems quiet; false if there
is nothing to scroll."""

CLICK_MORE = r"""(() => {
  const words = /^(load|show|see|view)?\s*(more|next results)( (results|items|posts|entries|articles|comments))?…?$|^(mehr|weitere)( (laden|anzeigen|einträge|ergebnisse))*…?$|^(voir|afficher|charger) plus$|^(ver|cargar|mostrar) más$/i;
  for (const one of document.querySelectorAll('button, [role=button], input[type=button], a:not([href]), a[href="#"], a[href^="javascript:"]')) {
    const text = (one.textContent || one.value || '').trim();
    if (text.length > 40 || !words.test(text) || one.disabled || one.closest('form')) continue;
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    one.click();
    return true;
  }
  return false;
})()"""
"""Click on the first button that says it loads more; false if there is none. Forms are left alone."""

TAKE_DOCUMENT = """(() => {
  const root = document.documentElement;
  if (!root) return '';
  const type = document.doctype ? '<!DOCTYPE ' + document.doctype.name + '>\\n' : '';
  const open = [];
  const walk = (node) => {
    for (const one of node.querySelectorAll('*')) {
      if (one.shadowRoot) { open.push(one); walk(one.shadowRoot); }
    }
  };
  walk(document);
  let shadows = '';
  for (const one of open) shadows += one.shadowRoot.innerHTML;
  let text = root.outerHTML;
  if (shadows) text = text.replace(/<\\/body>\\s*<\\/html>\\s*$/i, '') + '<div>' + shadows + '</div></body></html>';
  return (type + text).slice(0, MOST);
})()"""
"""The document as it is shown, with the content of open shadow roots at its end, up to a length."""

FORGET = "try { name = ''; sessionStorage.clear(); localStorage.clear(); } catch (refused) {}"
"""Forget what a tab keeps apart from its context."""
