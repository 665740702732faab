"""Makes fixtures.json with SciPy, for clean_test.go:

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python make_fixtures.py > fixtures.json
"""

import json
import sys

import numpy as np
import scipy
from scipy import signal
from scipy.interpolate import PchipInterpolator

rng = np.random.default_rng(7)
t = np.arange(60) / 30
x = 100 * np.sin(2 * np.pi * 0.7 * t) + 20 * np.sin(2 * np.pi * 9 * t) + rng.normal(0, 3, t.size)

butter = []
for order in (1, 2, 4, 5):
    for cutoff in (3.0, 6.0):
        b, a = signal.butter(order, cutoff, fs=30)
        butter.append({"order": order, "cutoff": cutoff, "want": signal.filtfilt(b, a, x).tolist()})

savgol = [
    {"window": w, "order": p, "want": signal.savgol_filter(x, w, p).tolist()}
    for w, p in ((5, 2), (9, 3), (15, 4))
]
median = [{"window": w, "want": signal.medfilt(x, w).tolist()} for w in (3, 5, 9)]

known = [0, 1, 2, 5, 6, 10, 11, 15, 16, 20, 29]
uneven = np.cumsum(0.02 + 0.03 * rng.random(30))
y = 50 * np.cos(3 * uneven) + rng.normal(0, 5, uneven.size)
pchip = {
    "times": uneven.tolist(),
    "values": y.tolist(),
    "known": known,
    "want": PchipInterpolator(uneven[known], y[known])(uneven).tolist(),
}
json.dump({
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    "times": t.tolist(), "values": x.tolist(),
    "butterworth": butter, "savitzkyGolay": savgol, "median": median, "pchip": pchip,
}, sys.stdout)
