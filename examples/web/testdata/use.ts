import { load, MotionError, type Study } from '@bodymotion/motion';

export async function all(file: ArrayBuffer, other: string): Promise<[Study, number | undefined]> {
  const motion = await load();
  const recording = motion.clean(motion.read(file, { format: 'mediapipe', rate: 30, size: [1280, 720] }));
  const target = motion.clean(motion.read(other), { smooth: { cutoff: 6 } });
  if (motion.judge(recording).verdict === 'nobody') throw new MotionError('nobody', []);
  const [first] = motion.analyse(recording, { rule: { analysisType: 'kneeFlexion', side: 'left', repetitions: true } }).result ?? [];
  const peak: number | null | undefined = first?.values[0];
  const html: string = motion.report(recording, { title: 'Squats', language: 'ja' });
  // @ts-expect-error what is wrong is found
  motion.study(recording, { from: html });
  motion.compare(recording, target, { angles: true, score: true }).score?.overall;
  recording.free();
  return [motion.study(target, { neutral: 'auto' }), peak ?? undefined];
}
