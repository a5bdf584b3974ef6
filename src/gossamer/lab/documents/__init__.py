"""How does a document beyond HTML look? Small files of each format with known content, whole or hostile."""
