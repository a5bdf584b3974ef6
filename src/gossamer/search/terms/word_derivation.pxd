from gossamer.search.terms.lemma_dictionary cimport LemmaDictionary

cdef str find_origin(str word, str language, LemmaDictionary dictionary, dict costs)
cdef str restore_umlauts(str word, LemmaDictionary dictionary)
cdef str guess_base(str word, LemmaDictionary dictionary, dict costs)
