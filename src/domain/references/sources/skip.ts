/** Decides which files of a source are skipped, by name and by content, and why. */

import { documentFormat } from '../../../base/text.ts';

export const SKIP_REASONS = [
  'binary',
  'generated',
  'lfs_pointer',
  'lock_file',
  'minified',
  'submodule',
  'symlink',
  'too_large',
  'unreadable',
  'unusable_name',
  'vendored',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

export function countSkips(reasons: Iterable<SkipReason>): SkipCounts {
  const counts = new Map<SkipReason, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return ordered(counts);
}

export function addSkips(...all: readonly SkipCounts[]): SkipCounts {
  const counts = new Map<SkipReason, number>();
  for (const reason of SKIP_REASONS) {
    const sum = all.reduce((total, each) => total + (each[reason] ?? 0), 0);
    if (sum > 0) counts.set(reason, sum);
  }
  return ordered(counts);
}

function ordered(counts: ReadonlyMap<SkipReason, number>): SkipCounts {
  return Object.fromEntries(
    SKIP_REASONS.flatMap((reason) => {
      const count = counts.get(reason);
      return count === undefined ? [] : [[reason, count]];
    }),
  );
}

export function reasonInName(path: string): SkipReason | undefined {
  const levels = path.split('/');
  const name = levels.pop() ?? '';
  if (levels.some((level) => VENDORED_DIRECTORIES.has(level))) return 'vendored';
  if (LOCK_FILES.has(name.toLowerCase())) return 'lock_file';
  if (MINIFIED.test(name)) return 'minified';
  return BINARY_EXTENSIONS.has(extensionOf(name)) ? 'binary' : undefined;
}

/** File extension in lower case without the dot; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const VENDORED_DIRECTORIES = new Set(
  `node_modules bower_components jspm_packages vendor vendors vendored third_party third-party thirdparty Godeps
  Pods Carthage site-packages __pycache__ .venv venv .yarn .pnp .bundle .eggs`.split(/\s+/),
);

const LOCK_FILES = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock gemfile.lock
  composer.lock poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock conda-lock.yml go.sum go.work.sum flake.lock
  mix.lock rebar.lock pubspec.lock podfile.lock cartfile.resolved package.resolved packages.lock.json gradle.lockfile
  conan.lock module.bazel.lock .terraform.lock.hcl stack.yaml.lock cabal.project.freeze gopkg.lock glide.lock
  project.assets.json shard.lock berksfile.lock manifest.toml.lock`.split(/\s+/),
);

/** Source maps belong to minified files. */
const MINIFIED = /([.-]min\.(m?js|cjs|css|html?|json|svg)|\.(js|mjs|cjs|css|ts)\.map)$/i;

/** Never text, so they are skipped before fetching. */
const BINARY_EXTENSIONS = new Set(
  `png jpg jpeg jpe gif webp avif heic heif ico icns bmp tif tiff psd ai eps xcf raw cr2 dds ktx ktx2 exr hdr tga
  woff woff2 ttf otf ttc eot mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac avi mov mkv webm wmv flv mid midi
  zip gz tgz bz2 tbz2 xz txz zst lz lz4 br 7z rar tar jar war ear whl egg gem nupkg crate deb rpm apk ipa aab dmg iso
  img exe dll so dylib a lib o obj ko pdb class dex pyc pyo pyd wasm beam elc rlib rmeta node
  doc xls xlsx ppt pptx odt ods odp mobi pages numbers
  db sqlite sqlite3 db3 mdb realm parquet arrow feather avro orc npy npz pkl pickle h5 hdf5 pt pth ckpt safetensors
  onnx gguf tflite mlmodel glb fbx blend stl usdz 3ds keystore jks p12 pfx der snap swf`.split(/\s+/),
);

/** Reason to skip a file because of its content; undefined when it is kept. */
export function judgeContent(path: string, bytes: Uint8Array): SkipReason | undefined {
  if (isLfsPointer(bytes)) return 'lfs_pointer';
  if (documentFormat(path)) return undefined;
  if (!isText(bytes)) return 'binary';
  return isMinified(path, bytes) ? 'minified' : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const LFS_VERSION = new TextEncoder().encode('version https://git-lfs.github.com/spec/');
const MAX_POINTER_BYTES = 1024;

/** A Git LFS pointer stands for a file stored elsewhere. */
function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && LFS_VERSION.every((byte, at) => bytes[at] === byte);
}

/** Only formats loaded by machines are checked for minified content: prose has whole paragraphs in a line. */
const LOADED_BY_MACHINES = new Set('js mjs cjs jsx css html htm json svg map geojson'.split(' '));
const MIN_BYTES = 2048;
const MAX_MEAN_LINE_BYTES = 400;
const NEWLINE = 10;

function isMinified(path: string, bytes: Uint8Array): boolean {
  if (bytes.length < MIN_BYTES || !LOADED_BY_MACHINES.has(extensionOf(path))) return false;
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return bytes.length / lines > MAX_MEAN_LINE_BYTES;
}
