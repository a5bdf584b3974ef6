"""The scripts of pages that need JavaScript, by kind: data.

Each fills the element `root` with what it fetches from the address in its own `data-from`, or works on a page that is there.
"""

_LOAD = """
const own = document.currentScript, root = document.getElementById('root');
const load = () => fetch(own.dataset.from).then(answer => answer.json());
const fill = page => { root.innerHTML = page.body; return page; };
const split = (page, pieces) => {
  const whole = document.createElement('div');
  whole.innerHTML = page.body;
  let list = whole;
  for (const one of whole.querySelectorAll('*')) if (one.children.length > list.children.length) list = one;
  const rest = [...list.childNodes].slice(Math.ceil(list.childNodes.length / (pieces + 1)));
  rest.forEach(one => one.remove());
  root.append(...whole.childNodes);
  const size = Math.ceil(rest.length / pieces);
  return () => { list.append(...rest.splice(0, size)); return rest.length; };
};
"""

PAGE_SCRIPTS: dict[str, str] = {
    "client": f"{_LOAD}load().then(fill);",
    "slow": f"{_LOAD}load().then(fill);",
    "scroll": f"""{_LOAD}load().then(page => {{
  const add = split(page, 4);
  let screens = 2, left = 1;
  const stretch = () => {{ document.body.style.minHeight = left ? screens++ * 100 + 'vh' : ''; }};
  stretch();
  addEventListener('scroll', () => {{
    if (left && scrollY + innerHeight > document.documentElement.scrollHeight - 300) {{ left = add(); stretch(); }}
  }});
}});
""",
    "more": f"""{_LOAD}load().then(page => {{
  const add = split(page, 3), button = document.createElement('button');
  button.textContent = 'Load more';
  button.onclick = () => {{ if (!add()) button.remove(); }};
  root.after(button);
}});
""",
    "router": f"""{_LOAD}load().then(page => {{
  fill(page);
  for (const one of root.querySelectorAll('a[href]')) one.setAttribute('href', one.href);
  for (const one of root.querySelectorAll('img[src]')) one.setAttribute('src', one.src);
  history.pushState({{shown: location.pathname}}, '', '/view' + location.pathname);
  addEventListener('popstate', () => location.reload());
}});
""",
    "errors": f"""{_LOAD}console.error('The first of three errors');
setTimeout(() => {{ throw new Error('the second, in a timer'); }}, 5);
load().then(fill).then(() => aFunctionThatIsMissing());
""",
    "dialogs": f"""{_LOAD}alert('Welcome');
const answers = [confirm('Do you agree?'), prompt('What is your name?')];
addEventListener('beforeunload', event => event.preventDefault());
load().then(fill);
""",
    "popups": f"""{_LOAD}for (let n = 0; n < 5; n++) window.open('/scripts/popup?' + n);
load().then(fill);
""",
    "download": f"""{_LOAD}const link = document.createElement('a');
link.href = '/scripts/file.bin';
link.download = 'file.bin';
document.body.append(link);
link.click();
link.remove();
load().then(fill);
""",
    "shadow": f"""{_LOAD}load().then(page => {{
  customElements.define('page-content', class extends HTMLElement {{
    constructor() {{ super(); this.attachShadow({{mode: 'open'}}).innerHTML = page.body; }}
  }});
  root.append(document.createElement('page-content'));
}});
""",
    "lazy": """new IntersectionObserver((seen, watch) => {
  for (const one of seen) if (one.isIntersecting) { one.target.src = one.target.dataset.picture; watch.unobserve(one.target); }
}, {rootMargin: '200px'}).observe(document.getElementById('late'));
""",
    "timers": """const clock = document.createElement('p');
document.body.append(clock);
let ticks = 0;
setInterval(() => { clock.textContent = '.'.repeat(1 + ticks++ % 9); }, 20);
""",
    "noise": "let ticks = 0;\nsetInterval(() => fetch('/scripts/tick?' + ticks++).catch(() => {}), 30);\n",
    "memory": "const all = [];\nfor (;;) all.push(new Array(1e6).fill(Math.random()));\n",
    "hang": "while (true) {}\n",
}
ADDRESSES_SCRIPT = """<script>const addresses = %s;
addresses.forEach((address, n) => {
  for (const one of document.querySelectorAll('a[data-n="' + n + '"]')) { one.setAttribute('href', address); one.removeAttribute('data-n'); }
});</script>
"""
"""Gives its links to a page of the kind `links`."""
