// The part of `npm run package` for package managers: Homebrew's formula, and a .deb where dpkg-deb is.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const root = path.join(import.meta.dirname, '..');
const sources = path.join(root, 'packaging');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

function filled(file, values) {
  return readFileSync(path.join(sources, file), 'utf8').replace(
    /@([A-Z0-9]+)@/g,
    (whole, name) => values[name] ?? whole,
  );
}

/** Its digest is that of the package as npm packs it here, which is the same wherever the same tree is packed. */
export function writeFormula(out) {
  const packed = mkdtempSync(path.join(tmpdir(), 'ken-formula-'));
  try {
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], {
      cwd: root,
      stdio: 'pipe',
    });
    const [name = ''] = readdirSync(packed);
    const digest = createHash('sha256')
      .update(readFileSync(path.join(packed, name)))
      .digest('hex');
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, 'ken.rb'), filled('ken.rb', { VERSION: version, SHA256: digest }));
  } finally {
    rmSync(packed, { recursive: true });
  }
}

/** `tree` is what goes into /usr. Returns the file, or undefined where dpkg-deb is missing. */
export function writeDebianPackage(tree, out) {
  const architecture = ARCHITECTURES[process.arch];
  if (!architecture || spawnSync('dpkg-deb', ['--version']).status !== 0) return undefined;
  const stage = path.join(out, 'deb');
  rmSync(stage, { recursive: true, force: true });
  const usr = path.join(stage, 'usr');
  cpSync(tree, usr, { recursive: true });
  const manual = path.join(usr, 'share/man/man1');
  for (const name of readdirSync(manual)) compress(path.join(manual, name));
  const doc = path.join(usr, 'share/doc/ken');
  rmSync(path.join(doc, 'LICENSE'));
  writeFileSync(path.join(doc, 'copyright'), copyright());
  writeFileSync(path.join(doc, 'changelog'), debianChangelog());
  for (const name of ['changelog', 'CHANGELOG.md']) compress(path.join(doc, name));
  const overrides = path.join(usr, 'share/lintian/overrides');
  mkdirSync(overrides, { recursive: true });
  cpSync(path.join(sources, 'debian/lintian-overrides'), path.join(overrides, 'ken'));
  mkdirSync(path.join(stage, 'DEBIAN'));
  const values = {
    VERSION: version,
    ARCHITECTURE: architecture,
    SIZE: String(Math.ceil(sizeOf(usr) / 1024)),
  };
  writeFileSync(path.join(stage, 'DEBIAN/control'), filled('debian/control', values));
  writeFileSync(path.join(stage, 'DEBIAN/md5sums'), checksums(stage));
  openToAll(stage);
  const file = path.join(out, `ken_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', stage, file], { stdio: 'pipe' });
  rmSync(stage, { recursive: true });
  return file;
}

function compress(file) {
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
}

function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function sizeOf(directory) {
  return filesBelow(directory).reduce((sum, file) => sum + statSync(file).size, 0);
}

function checksums(stage) {
  const rows = filesBelow(path.join(stage, 'usr')).map((file) => {
    const digest = createHash('md5').update(readFileSync(file)).digest('hex');
    return `${digest}  ${path.relative(stage, file)}\n`;
  });
  return rows.sort().join('');
}

/** Modes for everyone, with any umask: directories and the program 0755, everything else 0644. */
function openToAll(stage) {
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    chmodSync(file, entry.isDirectory() || file.endsWith('usr/bin/ken') ? 0o755 : 0o644);
  }
  chmodSync(stage, 0o755);
}

/** The date is that of the changelog's section, so that the same tree gives the same package. */
function debianChangelog() {
  const dated = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - (\\S+)`, 'm');
  const day = dated.exec(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))?.[1] ?? '2026-01-01';
  const date = new Date(`${day}T00:00:00Z`).toUTCString().replace('GMT', '+0000');
  const maintainer = /^Maintainer: (.*)$/m.exec(
    readFileSync(path.join(sources, 'debian/control'), 'utf8'),
  )?.[1];
  return `ken (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- ${maintainer}  ${date}\n`;
}

function copyright() {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ken
Source: https://github.com/ken-kb/ken
Comment: /usr/bin/ken contains Node and packages of others; THIRD-PARTY.md and
 the directory licences beside this file list them with their licences.

Files: *
Copyright: 2026 the authors of ken
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
`;
}
