"""Answer a request to a world: resolve the URL and return a page, redirect, notice or trouble."""

import gzip
import math
from collections.abc import Callable
from email.utils import formatdate

import msgspec

from gossamer.errors import BadUrl
from gossamer.lab.behaviour.faults import REDIRECT_STATUSES, WRONG_TYPES, Troubles, answer_with_bomb
from gossamer.lab.behaviour.page_changes import EPOCH_S, Timetable
from gossamer.lab.layout.link_spelling import spell, split_origin
from gossamer.lab.layout.page_facts import PageFacts, Register
from gossamer.lab.layout.page_urls import Addresses, ResolvedUrl, loop_path, redirect_path
from gossamer.lab.scripts.make_shell import make_shell
from gossamer.lab.seeded_random import mix, salt, unit
from gossamer.lab.server.answer import Fault, LabAnswer, LabRequest, answer_with_text
from gossamer.lab.world.plan_page import PlannedPage, Planner
from gossamer.lab.world.robots_and_sitemaps import RobotsFiles
from gossamer.lab.world.script_files import ScriptFiles
from gossamer.lab.writing.page_content import PageWriter
from gossamer.lab.writing.phrases import NoticeKind
from gossamer.net.url import canonical

_HOP, _COMPRESSES, _GONE = salt("status of redirects"), salt("compressing hosts"), salt("how pages vanish")
_NOTICES: dict[NoticeKind, int] = {"not found": 404, "gone": 410, "error": 503, "soft 404": 200, "moved": 302}
_REFUSALS = {"too_many": 429, "unavailable": 503}
# One pixel, transparent: GIF89a as its specification's appendix builds it.
_PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c000000000100010000020144003b")
_PNG_START = b"\x89PNG\r\n\x1a\n"


class Responder:
    """Answers requests to a world."""

    def __init__(
        self,
        *,
        writer: Callable[[], PageWriter],
        register: Register,
        planner: Planner,
        robots_files: RobotsFiles,
        script_files: ScriptFiles,
        addresses: Addresses,
        troubles: Troubles,
        timetable: Timetable,
        compress: float,
    ) -> None:
        self._writer = writer
        self._register = register
        self._planner = planner
        self._robots_files = robots_files
        self._script_files = script_files
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._compress = compress

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request."""
        host = self._addresses.find_host(request.host)
        if host is None:
            return answer_with_text(421, "This world has no host of this name.")
        if request.method not in ("GET", "HEAD"):
            return answer_with_text(405, "Only GET and HEAD are answered.", ("Allow", "GET, HEAD"))
        path = self.normalise_path(host, request.target)
        if path is None:
            return answer_with_text(400, "This is not a valid URL.")
        answer = self._dispatch(host, path, request, now_s)
        original = self._register.find_original(host)
        if self._troubles.strikes("slow", original):
            fault = msgspec.structs.replace(answer.fault or Fault(), delay_s=self._troubles.trouble.slow_s)
            answer = msgspec.structs.replace(answer, fault=fault)
        return answer

    def find_status(self, resolved: ResolvedUrl, now_s: float) -> int:
        """Return the status of the answer for a URL without writing the page."""
        if resolved.kind in ("moved", "loop"):
            return (
                self._answer_redirect(resolved)
                if resolved.kind == "moved"
                else self._answer_loop_turn(resolved)
            ).status
        if resolved.kind == "page" and (
            early := self._answer_early(resolved, self._register.find_page(resolved.number), now_s)
        ):
            return early.status
        return 200

    def normalise_path(self, host: int, target: str) -> str | None:
        """Return path and query of a target in canonical form, or None if it is not a valid URL."""
        if not target.startswith("/"):
            return None
        try:
            return split_origin(canonical(self._addresses.build_url(host, target)))[1]
        except BadUrl:
            return None

    def _dispatch(self, host: int, path: str, request: LabRequest, now_s: float) -> LabAnswer:
        if path.partition("?")[0] == "/robots.txt":
            return self._robots_files.answer_robots(host, path)
        if path.startswith("/sitemap") and (sitemap := self._robots_files.answer_sitemap(host, path, now_s)):
            return sitemap
        if path.startswith("/images/"):
            return LabAnswer(200, (("Content-Type", "image/gif"),), _PIXEL, fresh_until_s=math.inf)
        if path.startswith("/scripts/") and (script := self._script_files.answer(host, path, now_s)):
            return script
        resolved = self._register.resolve(host, path)
        if resolved is None:
            return self._answer_notice("not found", host, path)
        match resolved.kind:
            case "page":
                return self._answer_existing(resolved, request, now_s)
            case "moved":
                return self._answer_redirect(resolved)
            case "loop":
                return self._answer_loop_turn(resolved)
        return self._answer_page(self._planner.plan_trap(resolved), request, now_s)

    def _answer_notice(self, kind: NoticeKind, host: int, path: str, status: int = 0) -> LabAnswer:
        """Answer with a short page that says what is wrong; hosts with soft 404 answer 200 instead."""
        original = self._register.find_host(self._register.find_original(host))
        if kind == "not found" and self._troubles.strikes("soft_404", original.number):
            kind = "soft 404"
        key = original.key if kind == "soft 404" else self._addresses.key(original.name + path)
        body = self._writer().notice(key, original.language, kind).html.encode()
        headers = (("Content-Type", "text/html; charset=UTF-8"),)
        return LabAnswer(status or _NOTICES[kind], headers, body, fresh_until_s=math.inf)

    def _answer_redirect(self, resolved: ResolvedUrl) -> LabAnswer:
        """Redirect one hop closer to a page."""
        page = self._register.find_page(resolved.number)
        here = self._addresses.build_url(resolved.host, resolved.path)
        if resolved.hop == 1:
            return self._redirect_to(here, self._register.build_url(page), mix(page.key, resolved.hop))
        onward = self._addresses.build_url(resolved.host, redirect_path(resolved.number, resolved.hop - 1))
        return self._redirect_to(here, onward, mix(page.key, resolved.hop))

    def _answer_loop(self, resolved: ResolvedUrl, page: PageFacts, hop: int) -> LabAnswer:
        """Redirect to the next turn of a loop; the last turn leads back to the page's own URL."""
        here = self._addresses.build_url(resolved.host, resolved.path)
        last = hop >= self._register.count_loop_turns(page)
        onward = page.path if last else loop_path(resolved.number, hop + 1)
        return self._redirect_to(here, self._addresses.build_url(resolved.host, onward), mix(page.key, hop))

    def _answer_loop_turn(self, resolved: ResolvedUrl) -> LabAnswer:
        return self._answer_loop(resolved, self._register.find_page(resolved.number), resolved.hop)

    def _redirect_to(self, here: str, onward: str, key: int) -> LabAnswer:
        status = REDIRECT_STATUSES[mix(key, _HOP) % len(REDIRECT_STATUSES)]
        location = spell(onward, here, key)
        body = f'<title>Moved</title><p><a href="{location}">Moved</a>'.encode()
        headers = (("Location", location), ("Content-Type", "text/html; charset=UTF-8"))
        return LabAnswer(status, headers, body, fresh_until_s=math.inf)

    def _answer_existing(self, resolved: ResolvedUrl, request: LabRequest, now_s: float) -> LabAnswer:
        early = self._answer_early(resolved, self._register.find_page(resolved.number), now_s)
        return early or self._answer_page(self._planner.plan_page(resolved, now_s), request, now_s)

    def _answer_early(self, resolved: ResolvedUrl, page: PageFacts, now_s: float) -> LabAnswer | None:
        """Return the answer for a page that is missing or in trouble; None if the page is to be written."""
        if not page.life.includes(now_s):
            gone = now_s >= page.life.gone_s and mix(page.key, _GONE) % 2
            answer = self._answer_notice("gone" if gone else "not found", resolved.host, resolved.path)
            return msgspec.structs.replace(answer, fresh_until_s=self._find_fresh_until_s(now_s))
        match page.trouble:
            case "redirect_loop":
                return self._answer_loop(resolved, page, 0)
            case "not_found":
                return self._answer_notice("not found", resolved.host, resolved.path)
            case "gone":
                return self._answer_notice("gone", resolved.host, resolved.path)
            case "gzip_bomb":
                return answer_with_bomb(self._troubles.trouble.bomb_bytes)
            case "too_many" | "unavailable" as refusal:
                if wait_s := self._troubles.find_retry_after_s(page.key, now_s):
                    return self._answer_refusal(resolved, _REFUSALS[refusal], wait_s)
        return None

    def _answer_refusal(self, resolved: ResolvedUrl, status: int, wait_s: int) -> LabAnswer:
        answer = self._answer_notice("error", resolved.host, resolved.path, status)
        headers = (*answer.headers, ("Retry-After", str(wait_s)))
        return msgspec.structs.replace(answer, headers=headers, fresh_until_s=0.0)  # Retry-After counts down

    def _find_fresh_until_s(self, now_s: float) -> float:
        return math.floor(now_s) + 1.0 if self._timetable.has_changes else math.inf

    def _answer_page(self, planned: PlannedPage, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer with a page, or with 304 if the client has this version."""
        headers = self._build_headers(planned, now_s)
        fresh_until_s = self._find_fresh_until_s(now_s)
        facts = planned.facts
        if facts and facts.trouble in _REFUSALS:
            fresh_until_s = min(fresh_until_s, self._troubles.find_phase_end_s(facts.key, now_s))
        named = dict(headers)
        if "ETag" in named and request.has_version(named["ETag"], named["Last-Modified"]):
            kept = tuple(pair for pair in headers if pair[0] != "Content-Type")
            return LabAnswer(304, kept, fresh_until_s=fresh_until_s)
        plan = planned.plan
        html = self._writer().page(plan).html
        if facts and facts.scripted:
            html = make_shell(facts.scripted, html, plan, facts.spot.number)
        body = html.encode(plan.encoding, "xmlcharrefreplace")
        if facts and facts.trouble == "wrong_type" and self._pick_wrong_type(facts) == "":
            body = _PNG_START + body[::-1]
        fault = self._troubles.make_fault(facts.trouble, facts.key, len(body)) if facts else None
        if fault is None and self._compresses(plan.host_key, request):
            body = gzip.compress(body, compresslevel=1, mtime=0)
            headers = (*headers, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
        return LabAnswer(200, headers, body, fault, fresh_until_s)

    def _compresses(self, host_key: int, request: LabRequest) -> bool:
        takes = "gzip" in request.headers.get("accept-encoding", "")
        return takes and unit(host_key, _COMPRESSES) < self._compress

    def _pick_wrong_type(self, page: PageFacts) -> str:
        """Return the wrong content type of a page; "" for an image that is declared as a page."""
        return WRONG_TYPES[self._troubles.pick_variant(page.key, len(WRONG_TYPES))]

    def _build_headers(self, planned: PlannedPage, now_s: float) -> tuple[tuple[str, str], ...]:
        plan, facts = planned.plan, planned.facts
        content_type = f"text/html; charset={plan.declared_encoding}"
        if facts is None:
            return (("Content-Type", content_type),)
        if facts.trouble == "wrong_type":
            content_type = self._pick_wrong_type(facts) or content_type
        tag, changed_s = f"{plan.version}-{planned.births}", max(planned.changed_s, facts.life.born_s)
        match self._timetable.find_lie(facts.key):
            case "always new":
                tag, changed_s = f"now-{math.floor(now_s)}", math.floor(now_s)
            case "never new":
                tag, changed_s = "first", min(facts.life.born_s, 0.0)
        headers = [
            ("Content-Type", content_type),
            ("ETag", f'"{facts.key:016x}-{tag}"'),
            ("Last-Modified", formatdate(EPOCH_S + changed_s, usegmt=True)),
        ]
        if planned.robots_header:
            headers.append(("X-Robots-Tag", planned.robots_header))
        return tuple(headers)
