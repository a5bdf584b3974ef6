from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.address_guard import refusal

NAT64 = "64:ff9b:"


@given(st.ip_addresses())
def test_nothing_passes_that_python_does_not_call_global(address: IPv4Address | IPv6Address) -> None:
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    if (not inner.is_global or inner.is_multicast) and not str(address).startswith(NAT64):
        assert refusal(str(address), ()) is not None


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:{}", NAT64 + ":{}"]))
def test_the_forms_of_an_ipv4_address_are_judged_like_it(address: IPv4Address, form: str) -> None:
    assert refusal(form.format(address), ()) == refusal(str(address), ())
    assert refusal(form.format(address), (str(address),)) is None


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    assert refusal(text, ()) is None or isinstance(refusal(text, ()), str)
