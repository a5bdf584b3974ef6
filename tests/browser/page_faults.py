"""Faults of a page that a program can see: what runs over the edge, is cut, has no name, or shows no focus."""

from typing import Any

# Each function is one plain test of the page as it is laid out now.
FIND_FAULTS = """() => {
  const root = document.documentElement, faults = [], wide = root.clientWidth;
  const say = (what, element) => faults.push(
    `${what}: ${element.tagName.toLowerCase()}${element.id ? '#' + element.id : ''}` +
    `${element.classList.length ? '.' + [...element.classList].join('.') : ''} ` +
    `"${(element.innerText || element.value || element.alt || '').trim().slice(0, 50)}"`);
  const seen = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
    element.getBoundingClientRect().width > 1 && element.getBoundingClientRect().height > 1;
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== root; at = at.parentElement) {
      if (at !== document.body && getComputedStyle(at).overflowX !== 'visible') return true;
      if (at.namespaceURI !== root.namespaceURI) return true;
    }
    return false;
  };
  if (root.scrollWidth > wide) faults.push(`the page is ${root.scrollWidth} pixels wide, the window ${wide}`);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.namespaceURI !== root.namespaceURI || !seen(element)) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if ((box.right > wide + 1 || (box.left < -1 && box.right > -1000)) && style.position !== 'fixed' && !scrolls(element)) {
      say(`outside the window by ${Math.round(Math.max(box.right - wide, -box.left))} pixels`, element);
    }
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const hides = ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis';
    if (text && hides && element.scrollWidth > element.clientWidth + 1) say('text is cut', element);
    if (text && ['hidden', 'clip'].includes(style.overflowY) && style.webkitLineClamp === 'none' &&
        element.scrollHeight > element.clientHeight + 3 && element.clientHeight > 0) say('lines are cut', element);
    if (element.tagName === 'BUTTON' && element.scrollWidth > element.clientWidth + 1) say('text runs out', element);
    if (element.tagName === 'IMG' && !element.hasAttribute('alt')) say('no alternative text', element);
    if (element.tagName === 'IMG' && element.complete && !element.naturalWidth) say('a picture is missing', element);
    if (/^(undefined|NaN|None|null)$/.test((element.children.length ? '' : element.textContent).trim())) say('no value', element);
  }
  return faults;
}"""
FIND_FOCUS = """() => {
  const faults = [], looks = (style) => [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow,
    style.borderColor, style.backgroundColor, style.textDecoration].join('|');
  const can = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled).slice(0, 60);
  for (const one of can) {
    document.activeElement?.blur();
    const before = looks(getComputedStyle(one));
    one.focus({preventScroll: true, focusVisible: true});
    const label = one.closest('label') ?? one;
    if (document.activeElement === one && looks(getComputedStyle(one)) === before &&
        getComputedStyle(label).outlineStyle === 'none') {
      faults.push(`no sign of the focus: ${one.tagName.toLowerCase()} "${(one.innerText || one.name || '').slice(0, 40)}"`);
    }
  }
  document.activeElement?.blur();
  return faults;
}"""


def find_faults(page: Any, axe: Any = None, focus: bool = False) -> list[str]:
    """Return what is wrong with an open page at its present width and colours; with `axe`, its rules too."""
    faults: list[str] = page.evaluate(FIND_FAULTS)
    if focus:
        faults += page.evaluate(FIND_FOCUS)
    if axe is not None:
        for fault in axe.run(page, options={"iframes": False}).response["violations"]:
            faults += [f"{fault['id']}: {node['html'][:120]}" for node in fault["nodes"][:3]]
    return list(dict.fromkeys(faults))
