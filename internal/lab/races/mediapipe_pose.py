"""MediaPipe Pose, full model, which follows the person from frame to frame by default.

    pip install mediapipe==0.10.14    # a version that carries the networks
"""

from contestant import race


def prepare():
    import cv2
    from mediapipe.python.solutions.pose import Pose

    pose = Pose(model_complexity=1)

    def look(frame):
        image = cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)
        image.flags.writeable = False
        return pose.process(image).pose_landmarks

    return look, pose.reset


race(prepare)
