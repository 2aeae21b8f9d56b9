import { expect, it } from 'vitest';
import { changelogProblem, versionProblem } from '../scripts/release-checks.ts';
import { billOfMaterials, thirdPartyPage } from '../scripts/third-party.ts';

const PARTS = [
  { name: '@a/b', version: '1.2.3', licence: 'MIT' },
  { name: 'data', version: 'of 2026', licence: 'Apache-2.0' },
];

it.each([
  ['0.2.0', { package: '0.2.0', lock: '0.2.0' }, ''],
  ['0.2.0', { package: '0.1.0', lock: '0.2.0' }, 'package says 0.1.0'],
  ['v0.2.0', {}, '"v0.2.0" is not a version such as 0.2.0'],
  ['', {}, '"" is not a version such as 0.2.0'],
])('compares the version %s with %j', (wanted, found, problem) => {
  expect(versionProblem(wanted, found)).toBe(problem);
});

it.each([
  ['## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- A.\n', ''],
  ['## [Unreleased]\n\n- B.\n\n## [0.2.0] - 2026-12-01\n\n- A.\n', 'something is still under [Unreleased]'],
  ['## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n- A.\n', 'its newest section is not [0.2.0]'],
  ['## [Unreleased]\n\n## [0.2.0]\n\n- A.\n', 'the section [0.2.0] has no date'],
  ['## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n', 'the section [0.2.0] is empty'],
  ['## [0.2.0] - 2026-12-01\n\n- A.\n', 'it does not begin with [Unreleased]'],
])('reads a changelog: %j', (changelog, problem) => {
  expect(changelogProblem(changelog, '0.2.0')).toBe(problem);
});

it('lists parts for people and for programs, the same each time', () => {
  expect(thirdPartyPage(PARTS)).toContain('| @a/b | 1.2.3 | MIT |\n| data | of 2026 | Apache-2.0 |\n');
  const bill = JSON.parse(billOfMaterials(PARTS));
  expect(billOfMaterials(PARTS)).toBe(billOfMaterials([...PARTS]));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: expect.stringMatching(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    metadata: { component: { type: 'application', name: '@ken-kb/ken' } },
    components: [
      { name: '@a/b', purl: 'pkg:npm/%40a/b@1.2.3', licenses: [{ expression: 'MIT' }] },
      { name: 'data', 'bom-ref': 'data', licenses: [{ expression: 'Apache-2.0' }] },
    ],
  });
});
