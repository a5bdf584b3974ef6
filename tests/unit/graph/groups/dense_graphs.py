"""Random thresholds for the tests of dense groups."""

from hypothesis import strategies as st

from gossamer.graph.groups.density import ClusterRules, CoreRules, Thresholds


@st.composite
def thresholds(draw: st.DrawFn) -> Thresholds:
    shares = st.sampled_from([0.01, 0.2, 0.3, 0.5, 2 / 3, 0.7, 0.8, 1.0]) | st.floats(0.01, 1)
    low, high = sorted((draw(shares), draw(shares)))
    return Thresholds(low, high, draw(st.sampled_from([0.0, 0.5, 0.9, 0.99, 1.0])))


cluster_rules = st.builds(ClusterRules, st.integers(2, 6), thresholds())
core_rules = st.builds(CoreRules, st.integers(1, 5), st.integers(1, 5), thresholds())
