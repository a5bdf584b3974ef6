"""Choose who crawls: processes of this machine, or fetchers that Ray places."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from gossamer.cli.check_extra import check_extra
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when they are chosen, so that help stays quick
    from gossamer.cluster.ray_crew import RayCrew
    from gossamer.crawl.run.start_processes import ProcessCrew

Crew: TypeAlias = Union["ProcessCrew", "RayCrew"]

_PROCESSES = "processes"


def choose_crew(on: str, processes: int, fetchers: int, cpus: float, web: Path) -> Crew:
    """Return the crew that the options ask for; raise BadInput if they contradict each other or the web."""
    if on == _PROCESSES:
        from gossamer.crawl.run.start_processes import ProcessCrew

        if fetchers:
            raise BadInput("--fetchers is for --on ray: without Ray, `gossamer fetcher` starts each one")
        from gossamer.run_tasks import check_one_process

        check_one_process(web, processes)
        return ProcessCrew(processes)
    if on != "ray" and not on.startswith("ray://"):
        raise BadInput(f"--on does not know {on!r}: use processes, ray, or ray://HEAD:10001")
    if processes > 1:
        raise BadInput("--processes is for --on processes: with Ray, --fetchers says how many there are")
    check_extra("ray")
    from gossamer.run_tasks import check_shared_web

    check_shared_web(web)
    from gossamer.cluster.ray_crew import RayCrew

    return RayCrew(on, fetchers, cpus)


def wait_for_ray(crew: Crew) -> None:
    """Wait until Ray answers, if it places the fetchers; raise BadInput if it does not."""
    from gossamer.crawl.run.start_processes import ProcessCrew

    if not isinstance(crew, ProcessCrew):
        crew.connect()
