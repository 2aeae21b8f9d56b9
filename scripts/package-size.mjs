// Prints how large the package is, packed and unpacked, and where it goes; fails above the bars.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.join(import.meta.dirname, '..');

/** Megabytes. */
export const packageBars = { packed: 27, unpacked: 40 };

/** Parts that are smaller are summed up. */
const SHOWN_MEGABYTES = 0.1;

function measurePackage() {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const printed = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' }));
  const [{ size, unpackedSize, files }] = Array.isArray(printed) ? printed : Object.values(printed);
  const parts = Map.groupBy(files, (file) => file.path.split('/').slice(0, 2).join('/'));
  const sizes = [...parts].map(([part, all]) => [part, all.reduce((sum, file) => sum + file.size, 0) / 1e6]);
  return { packed: size / 1e6, unpacked: unpackedSize / 1e6, sizes };
}

function printPackageSize() {
  const { packed, unpacked, sizes } = measurePackage();
  const shown = sizes.filter(([, megabytes]) => megabytes >= SHOWN_MEGABYTES).sort((a, b) => b[1] - a[1]);
  const others = unpacked - shown.reduce((sum, [, megabytes]) => sum + megabytes, 0);
  for (const [part, megabytes] of [...shown, ['everything else', others]])
    process.stdout.write(`${megabytes.toFixed(1).padStart(6)} MB  ${part}\n`);
  process.stdout.write(
    `package: ${packed.toFixed(1)} MB packed (at most ${packageBars.packed}), ` +
      `${unpacked.toFixed(1)} MB unpacked (at most ${packageBars.unpacked})\n`,
  );
  if (packed > packageBars.packed || unpacked > packageBars.unpacked) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printPackageSize();
