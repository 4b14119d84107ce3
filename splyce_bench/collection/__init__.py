"""Members of the SuiteSparse Matrix Collection: lists, downloads and a checked cache.

No network is needed before a matrix is fetched, and importing this asks for nothing.
"""
