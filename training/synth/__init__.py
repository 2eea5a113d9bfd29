"""Claims written by rules over real text and tables: near misses and their twins that are still true."""
