from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.address_guard import check_address

NAT64 = "64:ff9b:"


@given(st.ip_addresses())
def test_only_addresses_that_python_calls_global_are_allowed(address: IPv4Address | IPv6Address) -> None:
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    if (not inner.is_global or inner.is_multicast) and not str(address).startswith(NAT64):
        assert check_address(str(address), ()) is not None


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:{}", NAT64 + ":{}"]))
def test_ipv6_forms_of_an_ipv4_address_are_checked_like_it(address: IPv4Address, form: str) -> None:
    assert check_address(form.format(address), ()) == check_address(str(address), ())
    assert check_address(form.format(address), (str(address),)) is None


@given(st.text())
def test_any_text_can_be_checked(text: str) -> None:
    assert check_address(text, ()) is None or isinstance(check_address(text, ()), str)
