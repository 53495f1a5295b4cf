"""Render answers for people: tables, trees and lines. `edge/render/report.py` serves hot commands."""
