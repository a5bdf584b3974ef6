"""Who is told what is new, and how? Notices that wait in the journal until they are told."""
