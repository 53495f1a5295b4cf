"""The stages, one file each, in the folder of their pass; `passes.py` lists them in the order in which they run."""
