from gossamer.records import Link

ANY: int
ANCHOR: int
ANCHOR_PAIR: int
NEAR: int
PATH: int
NAME: int
SUFFIX: int
PATH_LENGTH: int
PERSONAL: int
QUERY: int
HOST: int
NEIGHBOUR: int
FIRST_FOLDER: int
FOLDER: int
FOLDER_AND_SHAPE: int
SIBLINGS: int
PARENT_FOLDER: int
PARENT_TITLE: int
PARENT_RELEVANCE: int
DEPTH: int
DISTANCE: int
WORDS_RELEVANCE: int

def extract_page_features(url: str, title: str, relevance: float, depth: int, distance: int) -> bytes: ...
def extract_link_features(
    shared: bytes, page: str, links: list[Link], near: list[str], words: list[float]
) -> list[bytes]: ...
