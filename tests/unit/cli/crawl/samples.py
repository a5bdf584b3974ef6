"""Sample counts of a crawl, which several test modules show."""

COUNTS = {
    "checked": 100,
    "queued": 40,
    "seen": 50,
    "filtered:scope": 7,
    "filtered:no_calendar": 3,
    "downloaded": 20,
    "redirected": 2,
    "refused:robots": 4,
    "failed:404": 3,
    "failed:timeout": 1,
    "finished": 30,
    "bytes": 1_234_567,
    "elapsed_ms": 5,
}
HOSTS = {"busy": 2, "ready": 1, "waiting": 30, "dead": 1}
