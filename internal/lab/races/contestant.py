"""What the contestants share: the loop over the frames of a movie, and the answers.

The first argument of each is a movie to begin with. Standard input has one order a line:

    go PATH            go through a movie and print the number of frames, the nanoseconds, and
                       those of all cores
    movie PATH         print the keypoints of every frame of a movie
    picture PATH       print those of a picture

Keypoints are a JSON array with an element a frame: [] for nobody, else 17 times [x, y, score] in
the order of COCO, x and y in pixels."""

import json
import os
import sys
import time
from itertools import islice


def race(prepare):
    """prepare returns three functions: look(frame), reset(), which forgets the movie, and
    keypoints(what look returned, frame), which makes the element of the frame; None if a
    contestant's accuracy is not measured. Prints "ready", or "not ready" and why; then obeys the
    orders."""
    # Libraries print to standard output too: the answers go through a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        look, reset, keypoints = prepare()
        for frame in islice(frames(sys.argv[1]), 10):
            look(frame)
        reset()
    except Exception as e:  # whatever it lacks: a package, a network, memory
        print("not ready:", repr(e), file=answers)
        return
    print("ready" if keypoints else "ready, speed only", file=answers)
    for line in sys.stdin:
        order, _, path = line.rstrip("\n").partition(" ")
        if order == "go":
            start, cpu, n = time.perf_counter_ns(), time.process_time_ns(), 0
            for frame in frames(path):
                look(frame)
                n += 1
            ns, cpu = time.perf_counter_ns() - start, time.process_time_ns() - cpu
            print(n, ns, cpu, file=answers)
        else:
            seen = frames(path) if order == "movie" else [picture(path)]
            print(json.dumps([keypoints(look(frame), frame) for frame in seen]), file=answers)
        reset()


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


def picture(path):
    import cv2

    return cv2.imread(path)
