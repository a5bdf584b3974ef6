"""How do many machines keep the bytes of one web? Segments in an object store or a shared folder, packed and read."""
