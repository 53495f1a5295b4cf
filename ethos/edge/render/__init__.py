"""Words for people: tables, trees and lines of the plain data that the wire gives. What hot commands say is in `edge/render/report.py`."""
