from gossamer.search.terms.lemma_dictionary cimport LemmaDictionary
from gossamer.search.terms.word_frequencies cimport WordCosts

cdef str find_origin(str word, str language, LemmaDictionary dictionary, WordCosts costs)
cdef str restore_umlauts(str word, LemmaDictionary dictionary)
cdef str guess_base(str word, LemmaDictionary dictionary, WordCosts costs)
