// Runs steps of the API, and writes what each answers.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const { load, MotionError } = await import(pathToFileURL(process.argv[2]).href);
const { steps, inputs } = JSON.parse(fs.readFileSync(0, 'utf8'));
const motion = await load();
const made = [];
const gone = { handle: 99 };
const answers = steps.map(({ method, of, options, other }, k) => {
  const recording = made[of - 1] ?? gone;
  try {
    switch (method) {
      case 'read':
        made.push(motion.read(Buffer.from(inputs[k], 'base64'), options));
        return made.length;
      case 'clean':
        made.push(motion.clean(recording, options));
        return made.length;
      case 'keypoints':
        return recording.toJSON();
      case 'free':
        return recording.free() ?? null;
      case 'compare':
        return motion.compare(recording, made[other - 1], options);
      default:
        return motion[method](recording, options);
    }
  } catch (e) {
    if (!(e instanceof MotionError)) throw e;
    return { error: e.message };
  }
});
process.stdout.write(JSON.stringify(answers));
