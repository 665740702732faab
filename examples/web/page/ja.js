// @ts-check
// The texts of page.js in Japanese.
/** @type {{[text: string]: string}} */
export default {
  Format: '形式',
  'by its content': '内容から判断',
  'Frames per second': '1秒あたりのフレーム数',
  'Width in pixels': '幅（ピクセル）',
  'Height in pixels': '高さ（ピクセル）',
  'Keypoints in, measures out': 'キーポイントから測定値へ',
  ['Repetitions, angles with their uncertainty, gait and jumps, and a report to print, computed in this tab. ' +
  'There is no server, and nothing leaves the tab.']:
    '反復、不確かさ付きの角度、歩行、ジャンプ、印刷できるレポートを、このタブの中で計算します。サーバーはなく、データはタブの外に出ません。',
  'Drop a file of keypoints: MediaPipe, COCO, OpenPose, CSV, JSON, TRC':
    'キーポイントのファイルをドロップ：MediaPipe、COCO、OpenPose、CSV、JSON、TRC',
  'Only what the file does not say itself.': 'ファイルに情報がない場合だけ入力してください。',
  'Choose a file': 'ファイルを選択',
  'Read again': 'もう一度読み込む',
  'Another file': '別のファイル',
  Keypoints: 'キーポイント',
  Report: 'レポート',
  frames: 'フレーム',
  'one picture': '画像1枚',
  cleaned: '補正済み',
  'Drop one file at a time. The files of OpenPose go into one ZIP archive.':
    'ファイルは1つずつドロップしてください。OpenPose のファイルは1つの ZIP にまとめてください。',
  'The file is too large: it may have 200 MB.': 'ファイルが大きすぎます。200 MB までです。',
};
