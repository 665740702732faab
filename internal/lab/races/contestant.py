"""What the contestants share: the loop over the frames of the movie, which is the first
argument of each."""

import os
import sys
import time
from itertools import islice


def race(prepare):
    """prepare returns two functions: look(frame), and reset(), which forgets the movie.
    Prints "ready", or "not ready" and why; then goes through the movie for each line on
    standard input and prints the number of frames, the nanoseconds, and those of all cores."""
    # Libraries print to standard output too: the answers go through a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        look, reset = prepare()
        for frame in islice(frames(sys.argv[1]), 10):
            look(frame)
        reset()
    except Exception as e:  # whatever it lacks: a package, a network, memory
        print("not ready:", repr(e), file=answers)
        return
    print("ready", file=answers)
    for _ in sys.stdin:
        start, cpu, n = time.perf_counter_ns(), time.process_time_ns(), 0
        for frame in frames(sys.argv[1]):
            look(frame)
            n += 1
        ns, cpu = time.perf_counter_ns() - start, time.process_time_ns() - cpu
        reset()
        print(n, ns, cpu, file=answers)


def frames(path):
    """Yields the frames of a movie as OpenCV gives them: BGR."""
    import cv2

    capture = cv2.VideoCapture(path)
    while True:
        more, frame = capture.read()
        if not more:
            capture.release()
            return
        yield frame
