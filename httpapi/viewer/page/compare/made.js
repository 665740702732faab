// @ts-check
// The comparison of two recordings that the service has, or makes.

// made finds a comparison of the two that was made before and still holds, or has one made.
/** @param {import('../base/api.js').API} api @param {Recording} source @param {Recording} target @param {boolean} mirror */
export async function made(api, source, target, mirror) {
  const shift = Boolean(source.movie && target.movie);
  const same = (await api.get(`comparisons/?keypointId=${source.id}&size=100&execStatus=SUCCESS`)).data.filter(
    (c) => c.source === source.id && c.target === target.id,
  );
  for (const { id } of same.slice(0, 4)) {
    const record = await api.get(`comparisons/${id}/`);
    if (
      record.largest &&
      (record.answer || !record.largest.length) &&
      record.warnings &&
      !record.outdated &&
      Boolean(record.shift) === shift &&
      Boolean(record.mirror) === mirror &&
      (record.person ?? 0) === source.person &&
      (record.targetPerson ?? 0) === target.person
    )
      return record;
  }
  const asked = await api.post('comparisons/', {
    sourceId: source.id,
    targetId: target.id,
    ...(source.person ? { person: source.person } : {}),
    ...(target.person ? { targetPerson: target.person } : {}),
    angles: true,
    score: true,
    mirror,
    ...(shift ? { shift: true, alignment: 'dtw' } : {}),
  });
  return api.finished(`comparisons/${asked.id}/`);
}
