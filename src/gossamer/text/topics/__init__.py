"""What is this text about? Topics are learnt from examples.

from gossamer.text.topics import Example, train_topic
model = train_topic([Example("…"), …], against=[Example("…"), …])
model.relevance("a text")    # the probability that it is about the topic
"""

from gossamer.text.topics.model_file import KINDS, Kind
from gossamer.text.topics.topic_model import TopicModel
from gossamer.text.topics.train_topic import train_topic
from gossamer.text.topics.training_example import Example

__all__ = ["KINDS", "Example", "Kind", "TopicModel", "train_topic"]
