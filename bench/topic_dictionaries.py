"""Measure topic dictionaries on the ten largest topics of dated news, against the linear model of `topics`.

    python bench/topic_dictionaries.py [STORIES.jsonl.gz] [--json] [--topics 10]

STORIES has one JSON object a line with id, date, title, text, topics and split. A file without training stories is
measured by what is learnt from those of the news in shared/data. A topic is learnt from the stories of
the split TRAIN and recognises those of TEST; a story may have several topics, and a topic is recognised if its probability
is at least a half. The topics are the largest of the training stories. Stories without any topic are left out, as usual
with these: many of them were never labelled. `macro_f1` is the mean F1 of the dictionaries, `linear_macro_f1` that of the linear models.
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.text.hot.text_memory import split_sentences
from gossamer.text.topics import Example, Kind, TopicModel, train_topic
from hot_topics import STORIES, NewsStory, read_stories

_SENTENCES = 20_000


def make_page(story: NewsStory) -> Example:
    """Return a story as a page with title and text."""
    title, _, text = story.join_text().partition("\n")
    return Example(text, title)


def choose_topics(stories: Sequence[NewsStory], number: int) -> list[str]:
    """Return the largest topics of the training stories."""
    sizes = Counter(topic for story in stories if story.split == "TRAIN" for topic in story.topics)
    return [topic for topic, _ in sizes.most_common(number)]


def learn_topic(stories: Sequence[NewsStory], topic: str, kind: Kind) -> TopicModel:
    """Learn a topic from the training stories, those of other topics against it."""
    known = [story for story in stories if story.split == "TRAIN"]
    about = [make_page(story) for story in known if topic in story.topics]
    against = [make_page(story) for story in known if topic not in story.topics]
    return train_topic(about, against, kind)


def add_training(stories: list[NewsStory]) -> list[NewsStory]:
    """Return stories with those of the installed news to learn from, if they have none of their own."""
    if any(story.split == "TRAIN" for story in stories) or not STORIES.is_file():
        return stories
    known = {story.id for story in stories}
    training = [one for one in read_stories(STORIES) if one.split == "TRAIN" and one.id not in known]
    return [*training, *stories]


def measure_f1(model: TopicModel, stories: Sequence[NewsStory], topic: str) -> float:
    """Return the F1 of a topic on the test stories."""
    asked = [story for story in stories if story.split == "TEST"]
    found = [chance >= 0.5 for chance in model.relevance_many([make_page(story) for story in asked])]
    true = [topic in story.topics for story in asked]
    hits = sum(one and other for one, other in zip(found, true, strict=True))
    return 2 * hits / max(sum(found) + sum(true), 1)


def measure_speed(models: Sequence[TopicModel], stories: Sequence[NewsStory]) -> dict[str, float]:
    """Return how many sentences a second one core recognises, by one dictionary and by all of them."""
    sentences = [one for story in stories[:3_000] for one in split_sentences(story.join_text())][:_SENTENCES]
    speeds = {}
    for name, some in (("sentences_per_s", models[:1]), ("sentences_per_s_all_topics", models)):
        began_s = time.process_time()
        for sentence in sentences:
            for model in some:
                model.relevance(sentence)
        speeds[name] = len(sentences) / (time.process_time() - began_s)
    return speeds


def measure_news(stories: Sequence[NewsStory], number: int = 10) -> dict[str, object]:
    """Learn and measure the largest topics as dictionaries and as linear models."""
    stories = [story for story in stories if story.topics]
    topics = choose_topics(stories, number)
    if not topics or not any(story.split == "TEST" for story in stories):
        raise BadInput("there are no stories with topics in the splits TRAIN and TEST")
    dictionaries = [learn_topic(stories, topic, "dictionary") for topic in topics]
    of_dictionaries = [
        measure_f1(model, stories, topic) for model, topic in zip(dictionaries, topics, strict=True)
    ]
    of_linear = [measure_f1(learn_topic(stories, topic, "linear"), stories, topic) for topic in topics]
    return {
        "macro_f1": statistics.mean(of_dictionaries),
        "linear_macro_f1": statistics.mean(of_linear),
        "f1": dict(zip(topics, of_dictionaries, strict=True)),
        "linear_f1": dict(zip(topics, of_linear, strict=True)),
        **measure_speed(dictionaries, stories),
    }


def measure() -> dict[str, float]:
    """Measure the installed news; return nothing without it."""
    if not STORIES.is_file():
        print(f"there is no news at {STORIES}: topic dictionaries are not measured", file=sys.stderr)
        return {}
    found = measure_news(read_stories(STORIES))
    macro, linear, speed = (found[name] for name in ("macro_f1", "linear_macro_f1", "sentences_per_s"))
    assert isinstance(macro, float)
    assert isinstance(linear, float)
    assert isinstance(speed, float)
    return {
        "topic_dictionaries.macro_f1": macro,
        "topic_dictionaries.f1_vs_linear": macro - linear,
        "topic_dictionaries.sentences_per_s": speed,
    }


def main() -> int:
    """Measure a file of stories."""
    parser = argparse.ArgumentParser(description="Topic dictionaries on the largest topics of news.")
    parser.add_argument("stories", type=Path, nargs="?", default=STORIES, help="JSON lines, packed or not")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--topics", type=int, default=10, help="how many of the largest topics")
    arguments = parser.parse_args()
    try:
        figures = measure_news(add_training(read_stories(arguments.stories)), arguments.topics)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(figures, indent=None if arguments.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
