// @ts-check
// The exercises that the service keeps: the user's own, and those of a person. They go to and come from files.

const key = 'exercises'; // of those that this browser kept before the service did

// move gives the service what this browser kept, once. What it refuses could not be judged either.
async function move(api) {
  const old = localStorage.getItem(key);
  if (!old) return;
  localStorage.removeItem(key);
  /** @type {Exercise[]} */
  const left = JSON.parse(old);
  try {
    for (; left.length; left.shift()) {
      await api.post('exercises/', { exercise: left[0] }).catch((e) => {
        if (e?.status !== 400) throw e;
      });
    }
  } finally {
    if (left.length) localStorage.setItem(key, JSON.stringify(left));
  }
}

// read returns the exercises that are shipped, and those that are kept, the first kept first.
/** @returns {Promise<{shipped: Exercise[], own: KeptExercise[]}>} */
export async function read(api, signal) {
  await move(api);
  const own = [];
  for (let page = 1; ; page++) {
    const list = await api.get(`exercises/?size=1000&page=${page}`, signal);
    own.unshift(...list.own.reverse());
    if (page >= list.maxPage) return { shipped: list.data, own };
  }
}

// keep keeps an exercise, of a person if there is one, instead of another one if that is given.
/** @param {any} api @param {Exercise} exercise @param {number} [subjectId] @param {number} [instead]
 * @returns {Promise<KeptExercise>} */
export async function keep(api, exercise, subjectId, instead) {
  const made = await api.post('exercises/', { exercise, ...(subjectId ? { subjectId } : {}) });
  if (instead) await drop(api, instead);
  return made;
}

// drop forgets an exercise.
/** @param {any} api @param {number} id */
export const drop = (api, id) => api.delete(`exercises/${id}/`);
