import { load } from '@bodymotion/motion';
import { extract } from '@bodymotion/motion/extract';
import { MotionError, type Study } from '@bodymotion/motion';

export async function all(text: string, file: ArrayBuffer, movie: File): Promise<[Study, string, number | null | undefined]> {
  const motion = await load();
  const found = motion.read(await extract(movie, { setting: 'fast' }));
  await extract(movie, { setting: 'balanced', found: ({ frame, of, keypoint }) => console.log(frame / of, keypoint.nose?.[0]) });
  found.free();
  const read = motion.read(text, { rate: 30, size: [1280, 720], bodyHeight: 1.8 }); // what the data does not say itself
  const recording = motion.clean(read);
  const target = motion.clean(motion.read(file, { format: 'mediapipe', mirrored: true }), { smooth: { cutoff: 6 } });
  if (motion.judge(recording).verdict === 'nobody') throw new MotionError('nobody', []);
  const { movement, verdict, lead, repetitions } = motion.study(recording);
  const { result } = motion.analyse(recording, { rule: { analysisType: 'kneeFlexion', side: 'left', repetitions: true } });
  const { largest } = motion.compare(recording, target, { angles: true });
  const html = motion.report(recording, { title: 'Squats', language: 'ja' });
  // @ts-expect-error what is wrong is found
  motion.study(recording, { from: html });
  read.free();
  const words = [movement, verdict, lead?.analysisType, repetitions?.count, largest?.length, html].join(' ');
  return [motion.study(target, { neutral: 'auto' }), words, result?.[0].values[0]];
}
