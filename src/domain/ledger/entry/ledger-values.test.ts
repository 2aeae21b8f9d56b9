import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { parsePromotionLine, problemIn } from '../promotion/promotion-line.ts';
import { feedbackFactor } from '../search/rate-entries.ts';
import { recencyScore } from '../search/search-entries.ts';
import { requireText, secretIn } from './checked-input.ts';
import { entryId, expiryFor, isProcedural } from './entry.ts';
import { formatProvenance, parseProvenance, requireProvenance } from './provenance.ts';
import { parseMoment, parseTimestamp } from './timestamp.ts';

const isUri = (text: string) => text.startsWith('ken://');

describe('provenance', () => {
  it.each([
    'file:a',
    'file:a b#L1-L2',
    'file:docs/spec.md#L10',
    'file:..a/b',
    'url:x',
    'cmd:x',
    'cmd:cargo test --all',
    'commit:a',
    'event:A_1',
    'event:docs_01kj',
    'ref:ken://kb/project/deploy#L3-L9',
  ])('%s is one, and reads back as it is written', (text) => {
    const provenance = parseProvenance(text, isUri);
    expect(provenance && formatProvenance(provenance)).toBe(text);
  });

  it.each([
    '',
    'x',
    'pr:12',
    'File:a',
    'commit:ABC',
    'commit:',
    'event:',
    'event:a b',
    'event:a-b',
    'url:',
    'url:a b',
    'cmd: ',
    'cmd:a\nb',
    'cmd:\u001b[31m',
    'cmd:a\u202eb',
    'file:',
    'file:x#L1-2',
    'file:x#frag',
    'file:x#L0',
    'file:x#L3-L2',
    'file:/etc/passwd',
    'file:../x',
    'file:a/../b',
    'file:a\\..\\b',
    'file:~/x',
    'file:C:/x',
    'file:a\0b',
    'ref:x',
    'url:\ud800',
  ])('%j is none', (text) => {
    expect(parseProvenance(text, isUri)).toBeUndefined();
    expect(() => requireProvenance(text, isUri)).toThrow(
      `Invalid provenance format: '${text}'. Must match scheme (file:|url:|cmd:|commit:|event:)`,
    );
  });

  it('takes any text without failing, and what it takes it gives back', () => {
    const scheme = fc.constantFrom('file:', 'url:', 'cmd:', 'commit:', 'event:', 'ref:', '');
    fc.assert(
      fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
        const provenance = parseProvenance(start + rest, isUri);
        if (provenance) expect(parseProvenance(formatProvenance(provenance), isUri)).toEqual(provenance);
      }),
    );
  });
});

describe('timestamps', () => {
  it.each([
    ['123', 123],
    ['123Z', 123],
    ['0Z', 0],
    ['2026-01-01T00:00:00Z', 1_767_225_600],
    ['2026-01-01', 1_767_225_600],
    ['2026-01-01T01:00:00+01:00', 1_767_225_600],
  ])('%s is %d', (text, seconds) => expect(parseTimestamp(text)).toBe(seconds));

  it.each([
    '123ZZ',
    '+5Z',
    '-1Z',
    ' 1Z',
    'Z',
    '',
    '1.5Z',
    '1767225600000Z',
    '2026-02-30',
    '1960-01-01',
    'now',
  ])('%j is no time', (text) =>
    expect(() => parseTimestamp(text)).toThrow(`Invalid epoch timestamp: ${text}`),
  );
});

describe('lines of the promotions file', () => {
  const whole = {
    ...{ event_id: 'E', ts: '1Z', source_entry_id: 's', target_class: 'procedural', evidence_refs: ['e'] },
    ...{ approved_by: 'ada', actor: 'ada', reason: 'r' },
  };
  const problem = (value: unknown) => problemIn(parsePromotionLine(JSON.stringify(value)));
  it('need everything that they tell', () => {
    expect(problem(whole)).toBeUndefined();
    for (const name of Object.keys(whole))
      for (const missing of [undefined, '', ' ', 7, [], [7]])
        expect(problem({ ...whole, [name]: missing })).toBe(`Knowledge promotion ledger missing '${name}'`);
    expect(problem({ ...whole, target_class: 'semantic' })).toBe("expected target_class='procedural'");
    for (const other of [null, [], 'x', 7]) expect(problem(other)).toBe('is not a JSON object');
  });
});

describe('ids', () => {
  it.each([
    ' procedural/X ',
    'Procedural/x',
    'PROCEDURAL/X',
    'ｐrocedural/x',
    'procedural\u200b/x',
    '\ufeffprocedural/x',
  ])('%j is procedural/x', (given) => {
    expect(entryId(given)).toBe('procedural/x');
    expect(isProcedural(entryId(given))).toBe(true);
  });
  it.each(['K_001', 'procedures/x', 'a.b:c@d+e~f/g-h'])('%s stays as it is', (id) => {
    expect(entryId(id)).toBe(id);
    expect(isProcedural(id)).toBe(false);
  });
  // Cyrillic letters that look like Latin ones, and every way to write a path that is not one.
  it.each(['', ' ', 'рrocedural/x', 'a b', 'a//b', '/a', 'a/', './a', 'a/../b', 'a\u2215b', 'x'.repeat(201)])(
    '%j is refused',
    (given) => expect(() => entryId(given)).toThrow(Fault),
  );
  it('has one spelling', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        try {
          const id = entryId(given);
          expect(entryId(id)).toBe(id);
          expect(id.startsWith('procedural/')).toBe(isProcedural(id));
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

it('lets entries last as their policy says', () => {
  const lifetimes = { ephemeral_days: 7, decay_days: 30 };
  expect(expiryFor('ephemeral', undefined, 10, lifetimes)).toBe(10 + 7 * 86_400);
  expect(expiryFor('decay', undefined, 10, lifetimes)).toBe(10 + 30 * 86_400);
  expect(expiryFor('decay', 1, 10, lifetimes)).toBe(1);
  expect(expiryFor('persistent', undefined, 10, lifetimes)).toBeUndefined();
  expect(() => expiryFor('persistent', 1, 10, lifetimes)).toThrow('A persistent entry has no expiry.');
});

describe('secrets', () => {
  it.each([
    ['private-key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['private-key', 'x\n-----BEGIN OPENSSH PRIVATE KEY-----\n'],
    ['aws-access-key', 'key AKIAIOSFODNN7EXAMPLE.'],
    ['github-token', `ghp_${'a1'.repeat(18)}`],
    ['gitlab-token', `glpat-${'a'.repeat(20)}`],
    ['slack-token', 'xoxb-123456789012-abcdef'],
    ['anthropic-key', `sk-ant-api03-${'a'.repeat(30)}`],
    ['openai-key', `sk-proj-${'a'.repeat(40)}`],
    ['google-api-key', `AIza${'a'.repeat(35)}`],
    ['stripe-key', `sk_live_${'a'.repeat(24)}`],
    ['npm-token', `npm_${'a'.repeat(36)}`],
    ['hugging-face-token', `hf_${'a'.repeat(34)}`],
    ['json-web-token', `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.${'c'.repeat(12)}`],
    ['url-credentials', 'see postgres://ada:hunter2@db.example/x'],
    ['sendgrid-key', `SG.${'aB1-'.repeat(5)}ab.${'cD2_'.repeat(10)}abc`],
    ['azure-key', `AccountKey=${'aB1+'.repeat(21)}ab==`],
    ['digitalocean-token', `dop_v1_${'a1'.repeat(32)}`],
    ['telegram-token', `123456789:AA${'a1B'.repeat(11)}`],
    ['assigned-secret', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['assigned-secret', 'the password = hunter2xyzzy'],
    ['assigned-secret', 'db:\n  password: "s3cr3t pass"'],
    ['assigned-secret', "apiKey: 'k3y-abcdef'"],
    ['assigned-secret', '"client_secret": "0f9a8b7c6d5e"'],
  ])('%s is seen', (rule, text) => expect(secretIn(text)).toBe(rule));
  it.each([
    'https://example.com/a?b=c@d',
    'git@github.com:a/b',
    'the sk-learn package',
    'BEGIN PUBLIC KEY',
    'mailto:a@b.c, http://host:80/@x',
    'password = <your password 1>',
    'password: $DB_PASSWORD_2',
    'API_KEY=your-key-1',
    'apiKey = process.env.API_KEY2',
    'secret = config.get("x1")',
    'the password: at least 12 characters',
    'api_key: string | undefined',
    'Authorization uses a secret',
  ])('%s is none', (text) => expect(secretIn(text)).toBeUndefined());
});

it('keeps age at or above nothing', () => {
  expect(recencyScore(100, 100)).toBe(1);
  expect(recencyScore(200, 100)).toBe(1);
  expect(recencyScore(0, 86_400)).toBe(0.5);
});

it('bounds what feedback does, and it points where the votes do', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (helped, hurt) => {
      const factor = feedbackFactor({ retrieved: 0, helped, hurt });
      expect(factor).toBeGreaterThanOrEqual(0.9);
      expect(factor).toBeLessThanOrEqual(1.1);
      expect(Math.sign(factor - 1)).toBe(Math.sign(helped - hurt));
    }),
  );
});

describe('a moment', () => {
  const noon = 1_767_268_800; // 2026-01-01T12:00:00Z

  it.each([
    ['2026-01-01', noon + 12 * 3600 - 1],
    ['2025-12-31T00:00:00Z', noon - 36 * 3600],
    ['today', noon + 12 * 3600 - 1],
    ['yesterday', noon - 12 * 3600 - 1],
    ['90m', noon - 5400],
    ['12h', noon - 12 * 3600],
    ['3d', noon - 3 * 86_400],
    ['2W', noon - 14 * 86_400],
    ['1767225600Z', 1_767_225_600],
  ])('%s is %d', (text, seconds) => expect(parseMoment(text, noon)).toBe(seconds));

  it('says how one is written', () => {
    const hint =
      'Write a day (2026-01-31, yesterday), a time ago (12h, 3d, 2w), a time (2026-01-31T12:00:00Z), ' +
      'or seconds since 1970 and a Z.';
    expect(() => parseMoment('last week', noon)).toThrow(expect.objectContaining({ hint }));
  });
});

it('takes texts up to a length that every search can bear', () => {
  expect(requireText('text', 'x'.repeat(100_000))).toHaveLength(100_000);
  expect(() => requireText('text', 'x'.repeat(100_001))).toThrow(
    'The text has 100001 characters; an entry has at most 100000.',
  );
});
