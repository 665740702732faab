// @ts-check
// The texts of page.js in Japanese.
/** @type {{[text: string]: string}} */
export default {
  Format: '形式',
  'by its content': '内容から判断',
  'Frames per second': '1秒あたりのフレーム数',
  'Width in pixels': '幅（ピクセル）',
  'Height in pixels': '高さ（ピクセル）',
  'A movie in, measures out': '動画から測定値へ',
  ['Repetitions, angles with their uncertainty, gait and jumps, and a report to print, computed in this tab. ' +
  'There is no server, and nothing leaves the tab.']:
    '反復、不確かさ付きの角度、歩行、ジャンプ、印刷できるレポートを、このタブの中で計算します。サーバーはなく、データはタブの外に出ません。',
  'Drop a movie: MP4, MOV': '動画をドロップ：MP4、MOV',
  'Or a file of keypoints: MediaPipe, COCO, OpenPose, CSV, JSON, TRC':
    'またはキーポイントのファイル：MediaPipe、COCO、OpenPose、CSV、JSON、TRC',
  Networks: 'ネットワーク',
  Fast: '高速',
  'Balanced, slower': '標準（時間がかかります）',
  'The page is kept in this browser, and works offline.': 'このページはブラウザーに保存され、オフラインでも使えます。',
  'Movies need this page from a server, not from disk.': '動画を使うには、このページをディスクからではなくサーバーから開いてください。',
  Progress: '進捗',
  Stop: '中止',
  'The networks are fetched, once: 26 MB': 'ネットワークを取得しています（初回のみ、26 MB）',
  'The networks are started': 'ネットワークを準備しています',
  'This is no movie that can be read here, MP4 or MOV.': 'ここで読める動画（MP4、MOV）ではありません。',
  'The movie is cut off.': '動画が途中で切れています。',
  'The movie is put together from parts, which is not read here.': '複数の部分をつないだ動画は、ここでは読めません。',
  'The picture is turned by an angle that is not read here.': '画像の回転角度が、ここでは読めないものです。',
  'The pixels of the movie are not square, which is not read here.': '画素が正方形でない動画は、ここでは読めません。',
  'This browser cannot decode movies for a page, for it has no WebCodecs.':
    'このブラウザーには WebCodecs がないため、動画をデコードできません。',
  'This browser cannot decode this movie. Try another one, or convert the movie to H.264':
    'このブラウザーではこの動画をデコードできません。別のブラウザーを使うか、H.264 に変換してください',
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
