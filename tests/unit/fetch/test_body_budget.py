"""While the budget is spent, one transfer goes on and the others wait, and all of them end."""

from gossamer.fetch.body_budget import BodyBudget


def test_all_transfers_go_on_while_there_is_room() -> None:
    budget = BodyBudget(100)
    budget.add("a", 60)
    assert budget.has_room("a")
    assert budget.has_room("b")


def test_only_the_oldest_goes_on_when_the_budget_is_spent() -> None:
    budget = BodyBudget(100)
    budget.add("a", 60)
    budget.add("b", 60)
    assert budget.has_room("a")
    assert not budget.has_room("b")
    assert not budget.has_room("c")


def test_the_next_goes_on_when_the_oldest_ends() -> None:
    budget, resumed = BodyBudget(100), list[str]()
    for name in "abc":
        budget.add(name, 90)
    for name in "bcd":
        budget.wait(name, lambda name=name: resumed.append(name))  # type: ignore[misc]
    budget.release("a")
    assert resumed == ["b"]
    budget.release("b")
    assert resumed == ["b", "c", "d"]
    assert budget.held_bytes == 90


def test_pages_that_are_not_written_yet_take_room_too() -> None:
    budget, resumed = BodyBudget(100), list[str]()
    budget.keep(150)
    assert budget.has_room("a")  # one always goes on
    budget.add("a", 10)
    assert not budget.has_room("b")
    budget.wait("b", lambda: resumed.append("b"))
    budget.release_kept(150)
    assert resumed == ["b"]
    assert budget.has_room("b")


def test_one_goes_on_although_none_has_begun() -> None:
    budget, resumed = BodyBudget(100), list[str]()
    budget.add("a", 10)
    budget.keep(150)
    for name in "bc":
        budget.wait(name, lambda name=name: resumed.append(name))  # type: ignore[misc]
    budget.release("a")
    assert resumed == ["b"]


def test_an_ended_transfer_waits_no_more() -> None:
    budget, resumed = BodyBudget(100), list[str]()
    budget.add("a", 150)
    budget.wait("b", lambda: resumed.append("b"))
    budget.release("b")
    budget.release("a")
    assert resumed == []
    assert budget.held_bytes == 0
