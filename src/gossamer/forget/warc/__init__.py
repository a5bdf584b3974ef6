"""How are records taken out of WARC files without moving the others?"""
