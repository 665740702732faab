"""Makes dtw.json with dtaidistance, for dtw_test.go:

    python3 -m venv venv && venv/bin/pip install numpy dtaidistance
    venv/bin/python make_fixtures.py > dtw.json

Each case holds the places of a point in two recordings, and the smallest sum of distances
and penalties of all ways through both, in pixels.
"""

import json
import sys

import dtaidistance
import numpy as np
from dtaidistance import dtw_ndim

rng = np.random.default_rng(11)


def walk(n):
    return np.cumsum(rng.normal(0, 12, (n, 2)), axis=0).clip(-110, 110).round(2)


cases = []
for n, m in ((5, 5), (30, 41), (60, 60), (120, 90)):
    a, b = walk(n), walk(m)
    for penalty in (0.0, 15.0):
        for window in (None, 6) if n == m else (None,):
            # The window is the first shift that is too large.
            cost = dtw_ndim.distance(a, b, inner_dist="euclidean", penalty=penalty, window=window)
            cases.append({
                "a": a.tolist(), "b": b.tolist(), "penalty": penalty,
                "window": 0 if window is None else window - 1, "cost": cost,
            })

json.dump({"made_with": f"dtaidistance {dtaidistance.__version__}", "cases": cases}, sys.stdout)
