from hypothesis import given
from hypothesis import strategies as st

from gossamer.store import record_rows
from gossamer.store.batch import LinkColumns

# Keys whose bytes also match at a wrong offset.
KEYS = st.sampled_from([0, 1, 1 << 8, 1 << 56, -1, 0x0101010101010101, 0x0100000000000001])


@given(st.lists(st.tuples(KEYS, st.sampled_from([0, 1, 2])), max_size=8), KEYS)
def test_links_to_one_page_equal_those_filtered_from_all(told: list[tuple[int, int]], wanted: int) -> None:
    texts = [f"text {place}" for place in range(len(told))]
    packed = LinkColumns(7, [target for target, _ in told], bytes(kind for _, kind in told), texts)
    source, _, targets, kinds, said = record_rows.links_to_row(packed)
    every = [link for link in record_rows.unpack_links(source, targets, kinds, said) if link.target == wanted]
    assert record_rows.unpack_links_to(wanted, source, targets, kinds, said) == every
