"""How are results printed? Tables, JSON lines, plots and wording that all verbs share."""
