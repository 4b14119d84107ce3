"""Compile: a kernel through a pipeline to one shared object, called with an array of words."""
