// @ts-check
// The height of a person is the scale of recordings that are assigned later, too.

// scaled measures a recording again that is assigned to another person (0: to nobody), and returns the new keypoint record. It
// returns null if the scale stays: both heights are the same, or the scale is not by the height of the person before.
/** @param {any} api @param {any} record @param {number} subjectId */
export async function scaled(api, record, subjectId) {
  if (record.execStatus !== 'SUCCESS' || record.keypointIds) return null;
  const height = async (id) => (id ? ((await api.get(`subjects/${id}/`)).bodyHeight ?? 0) : 0),
    [was, now] = await Promise.all([height(record.subjectId), height(subjectId)]);
  if (was === now) return null;
  const { scale, world, clean = false, capture, floor, origin, cameraPitch } = await api.get(`keypoints/${record.id}/`);
  if (scale ? scale.bodyHeight !== was : world?.metresPerPixel || !now) return null;
  const made = await api.post('keypoints/', { keypointId: record.id, clean, capture, floor, origin, cameraPitch });
  return api.finished(`keypoints/${made.id}/`);
}
