"""Uses the client that openapi-python-client has made: use.py ADDRESS MOVIE."""

import hashlib
import sys

import httpx
from generated import AuthenticatedClient, Client
from generated.api.analyses import create_analysis, get_analysis
from generated.api.comparisons import create_comparison, get_comparison
from generated.api.drawings import create_drawing, get_drawing
from generated.api.keypoints import correct_keypoint, create_keypoint, get_keypoint
from generated.api.exercises import list_exercises
from generated.api.media import create_movie
from generated.api.subjects import create_subject, delete_subject, get_trend
from generated.api.tokens import create_token
from generated.models import (
    AnalysisRule, AnalysisRuleAnalysisType, AnalysisRuleSideType0, Edit, ExecStatus, KeypointChange,
    NewAnalysis, NewComparison, NewDrawing, NewKeypoint, NewMedia, NewSubject, NewToken, NewTokenGrantType,
    Note, Part, ScaleType0, Sketch,
)

root, file = sys.argv[1:]
secret = NewToken(grant_type=NewTokenGrantType.CLIENT_CREDENTIALS, client_id="someone", client_secret="very-secret")
token = create_token.sync(client=Client(root + "/anymotion/v1"), body=secret).access_token
client = AuthenticatedClient(root + "/anymotion/v1", token, timeout=httpx.Timeout(90))

# Upload.
with open(file, "rb") as f:
    movie = f.read()
media = create_movie.sync(client=client, body=NewMedia(name="squats", content_md_5=hashlib.md5(movie).hexdigest()))
httpx.put(media.upload_url, content=movie).raise_for_status()

# Extract.
created = create_keypoint.sync(client=client, body=NewKeypoint(movie_id=media.id, clean=True, scale=ScaleType0(body_height=1.75), everybody=True))
keypoint = get_keypoint.sync(created.id, client=client, wait=60)
assert keypoint.exec_status == ExecStatus.SUCCESS, keypoint.failure_detail
assert len(keypoint.people) == 1, keypoint.people
assert len(keypoint.keypoint) == 120 and keypoint.cleaned and keypoint.world.metres_per_pixel > 0


def analyse():
    rule = AnalysisRule(analysis_type=AnalysisRuleAnalysisType.KNEEFLEXION, side=AnalysisRuleSideType0.LEFT, repetitions=True)
    made = create_analysis.sync(client=client, body=NewAnalysis(keypoint_id=keypoint.id, rule=[rule]))
    analysis = get_analysis.sync(made.id, client=client, wait=60)
    assert analysis.exec_status == ExecStatus.SUCCESS, analysis.failure_detail
    return analysis


# Analyse, correct, analyse again.
first = analyse()
assert first.result[0].repetitions.count == 3, first.result[0].repetitions
edits = [Edit(frame=30, part=Part.LEFTANKLE, point=[100.0, 100.0])]
assert len(correct_keypoint.sync(keypoint.id, client=client, body=KeypointChange(edits=edits)).edits) == 1
second = analyse()
assert first.result[0].values[30] != second.result[0].values[30]
assert first.result[0].values[60] == second.result[0].values[60]
assert get_analysis.sync(first.id, client=client).outdated is True

# Compare.
made = create_comparison.sync(client=client, body=NewComparison(source_id=keypoint.id, target_id=keypoint.id, score=True, angles=True))
assert len(get_comparison.sync(made.id, client=client, wait=60).difference) == 120

# Draw.
made = create_drawing.sync(client=client, body=NewDrawing(keypoint_id=keypoint.id, blur_faces=True, to=1.0))
drawing = get_drawing.sync(made.id, client=client, wait=60)
assert b"ftyp" in httpx.get(drawing.drawing_url).content[:16], drawing

# Report: the client reads JSON only, so its HTTP client gets the page.
page = client.get_httpx_client().get(f"/analyses/{second.id}/", params={"format": "report"})
assert page.status_code == 200 and "<html" in page.text, page.text[:1000]

# A person, who was filmed: progress, exercises, and everything erased.
person = create_subject.sync(client=client, body=NewSubject(name="Kenji Sato", body_height=1.8))
change = KeypointChange(subject_id=person.id, tags=["squat"], notes=[Note(text="even on both legs", time=1.5)])
assert correct_keypoint.sync(keypoint.id, client=client, body=change).notes[0].time == 1.5
drawn = KeypointChange(sketches=[Sketch(frame=0, points=[[10, 20], [30, 40]])])
assert correct_keypoint.sync(keypoint.id, client=client, body=drawn).sketches[0].points[1] == [30, 40]
trend = get_trend.sync(person.id, client=client)
assert len(trend.sessions) == 1 and trend.measure == "kneeFlexion", trend
assert "squat" in [e.name for e in list_exercises.sync(client=client).data]
gone = delete_subject.sync(person.id, client=client, all_=True)
assert gone.records["subjects"] == gone.records["keypoints"] == 1, gone

print("ok")
