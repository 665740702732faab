"""MediaPipe Pose, full model, which follows the person from frame to frame by default. It draws with its own solution.

    pip install mediapipe==0.10.14    # a version that carries the networks
"""

from contestant import race

# The landmarks that are COCO's 17 points.
COCO = (0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28)


def prepare():
    import cv2
    from mediapipe.python.solutions import drawing_utils
    from mediapipe.python.solutions.pose import POSE_CONNECTIONS, Pose

    pose = Pose(model_complexity=1)

    def look(frame):
        image = cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)
        image.flags.writeable = False
        return pose.process(image).pose_landmarks

    def keypoints(landmarks, frame):
        if landmarks is None:
            return []
        height, width = frame.shape[:2]
        points = (landmarks.landmark[i] for i in COCO)
        return [[p.x * width, p.y * height, p.visibility] for p in points]

    def draw(frame, landmarks):
        drawing_utils.draw_landmarks(frame, landmarks, POSE_CONNECTIONS)

    return look, pose.reset, keypoints, draw


race(prepare)
