import { describe, expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import { splitCommand } from '../../base/shell-words.ts';
import { parseLabelDirective } from '../labels/label-directive.ts';
import { type ConfiguredLabels, labelRules } from './label-rules.ts';
import { type LabelInput, type LabelPorts, resolveLabels } from './resolve-labels.ts';

const rules = {
  multi: false,
  apply_on: { new: true, fork: false, turn: false },
  run: 'ask',
  timeout: 10,
} as const;

interface World {
  readonly permits?: boolean | 'nobody';
  readonly output?: Record<string, string | Error>;
}

function ports({ permits = true, output = {} }: World) {
  const told: string[] = [];
  const made: LabelPorts = {
    async permit({ key }) {
      told.push(`asked ${key}`);
      if (permits === 'nobody') throw new Fault('approvals/needed', 'nobody is there');
      return permits;
    },
    async run({ key }, { program, args }) {
      told.push(`ran ${key}: ${[program, ...args].join(' ')}`);
      const result = output[key] ?? 'out';
      if (result instanceof Error) throw result;
      return result;
    },
    warn: (text) => told.push(`warned ${text}`),
  };
  return { made, told };
}

async function resolve(
  configured: ConfiguredLabels,
  words: readonly string[] = [],
  more: World & Partial<LabelInput> = {},
) {
  const { made, told } = ports(more);
  const labels = await resolveLabels(made, {
    rules: labelRules(configured, splitCommand),
    event: more.event ?? 'new',
    before: more.before ?? new Map(),
    directives: words.map(parseLabelDirective),
  });
  return { labels: Object.fromEntries(labels), told };
}

describe('the shapes of a label', () => {
  it.each<[string, ConfiguredLabels[string], string]>([
    ['a text', 'bar', 'bar'],
    ['an empty text', '', ''],
    ['a value', { ...rules, value: 'x' }, 'x'],
    [
      'a value for new and fork',
      { ...rules, value: 'x', apply_on: { new: true, fork: true, turn: false } },
      'x',
    ],
    ['a command line', { ...rules, value: { cmd: "git 'rev parse' x" } }, 'out'],
    ['a program', { ...rules, value: { cmd: { program: 'git', args: ['x'], shell: false } } }, 'out'],
    ['unattended', { ...rules, value: { cmd: 'x' }, run: 'unattended' }, 'out'],
    ['no value', { ...rules }, ''],
  ])('%s', async (_, label, value) => {
    expect((await resolve({ foo: label })).labels).toEqual({ foo: value });
  });

  it('splits a command line as a shell would', async () => {
    const { told } = await resolve({ foo: { ...rules, run: 'unattended', value: { cmd: "a 'b c'" } } });
    expect(told).toEqual(['ran foo: a b c']);
  });
});

const command = (more: object = {}) => ({ ...rules, value: { cmd: 'x' }, ...more });

it('asks before it runs, and leaves out what is declined or denied', async () => {
  expect(
    await resolve({ a: command(), b: command({ run: 'unattended' }), c: command({ run: 'deny' }) }, [], {
      permits: false,
    }),
  ).toEqual({
    labels: { b: 'out' },
    told: ['asked a', 'warned the label a is left out: its command was declined.', 'ran b: x'],
  });
});

it('stops before anything runs where nobody can be asked', async () => {
  const { made, told } = ports({ permits: 'nobody' });
  const input: LabelInput = {
    rules: labelRules({ a: command({ run: 'unattended' }), b: command() }, splitCommand),
    event: 'new',
    before: new Map(),
    directives: [],
  };
  await expect(resolveLabels(made, input)).rejects.toMatchObject({ code: 'approvals/needed' });
  expect(told).toEqual(['asked b']);
});

it('trims the output, takes none as an empty value, and leaves several lines out', async () => {
  const run = command({ run: 'unattended' });
  const output = { a: ' main\n', b: '\n', c: 'x\ny' };
  const { labels, told } = await resolve({ a: run, b: run, c: run }, [], { output });
  expect(labels).toEqual({ a: 'main', b: '' });
  expect(told.at(-1)).toMatch(/^warned the label c is left out: /);
});

it('goes on without an automatic label that fails', async () => {
  const run = command({ run: 'unattended' });
  const output = { a: new Fault('process/failed', 'x ended with 1.') };
  expect(await resolve({ a: run, b: 'y' }, [], { output })).toMatchObject({ labels: { b: 'y' } });
});

describe('what was said for this call', () => {
  it.each([
    [['branch=main', 'branch=feat'], { branch: 'feat' }],
    [['team=x'], { team: 'x' }],
    [['team-'], {}],
    [['bare'], { team: 'platform', bare: '' }],
  ])('%j comes last', async (words, expected) => {
    const { labels } = await resolve({ team: 'platform' }, words);
    expect(labels).toMatchObject(expected);
  });

  it('an alias runs its command again', async () => {
    const { told } = await resolve({ a: command({ run: 'unattended' }) }, [':a']);
    expect(told).toEqual(['ran a: x', 'ran a: x']);
  });

  it.each<[string, ConfiguredLabels, World, string]>([
    ['is unknown', { branch: 'x' }, {}, 'labels/unknown-alias'],
    ['is denied', { a: command({ run: 'deny' }) }, {}, 'labels/denied'],
    [
      'fails',
      { a: command({ run: 'unattended', apply_on: { new: false, fork: false, turn: false } }) },
      { output: { a: new Fault('process/failed', 'x') } },
      'process/failed',
    ],
  ])('an alias that %s is an error', async (_, configured, world, code) => {
    await expect(resolve(configured, [':a'], world)).rejects.toMatchObject({ code });
  });

  it('an alias whose prompt is declined is left out', async () => {
    const rule = command({ apply_on: { new: false, fork: false, turn: false } });
    expect((await resolve({ a: rule }, [':a', 'b=1'], { permits: false })).labels).toEqual({ b: '1' });
  });
});

describe('precedence', () => {
  const before = new Map([
    ['a', 'inherited'],
    ['b', 'inherited'],
    ['c', 'inherited'],
  ]);
  const fork = { ...rules, apply_on: { new: true, fork: true, turn: false } };

  it('on a fork: said > resolved again > inherited', async () => {
    const configured = { a: 'config', b: { ...fork, value: 'again' }, c: { ...fork, value: 'again' } };
    const { labels } = await resolve(configured, ['c=said'], { event: 'fork', before });
    expect(labels).toEqual({ a: 'inherited', b: 'again', c: 'said' });
  });

  it('on an existing one only what was named changes, and literals ask nobody', async () => {
    const configured = { b: command(), d: 'config' };
    expect(await resolve(configured, ['c=said'], { event: 'existing', before })).toEqual({
      labels: { a: 'inherited', b: 'inherited', c: 'said' },
      told: [],
    });
  });
});

describe('multi', () => {
  const rule = (given: object = {}) => ({ ...rules, multi: true, value: { cmd: 'x' }, ...given });

  it('takes each line as a label of its own, with a value that may hold anything but a line end', async () => {
    const output = { facts: 'branch=main\r\n\n  team = a=b, "c"  \nwip\n' };
    expect((await resolve({ facts: rule() }, [], { output })).labels).toEqual({
      branch: 'main',
      team: 'a=b, "c"',
      wip: '',
    });
    expect((await resolve({ facts: rule() }, [], { output: { facts: '' } })).labels).toEqual({});
  });

  it('is overridden by what is given for this call', async () => {
    const output = { facts: 'branch=main\nteam=a' };
    expect((await resolve({ facts: rule() }, ['branch=mine', 'team-'], { output })).labels).toEqual({
      branch: 'mine',
    });
  });

  it.each([
    ['a line that is no label', 'branch=main\n--evil=x', /"--evil" is not a label key/],
    ['a line without a key', '=x', /"" is not a label key/],
    ['an endless list', Array.from({ length: 65 }, (_, at) => `k${at}=`).join('\n'), /65 labels/],
  ])('leaves all of it out for %s, and an alias fails', async (_, facts, why) => {
    const { labels, told } = await resolve({ facts: rule() }, [], { output: { facts } });
    expect(labels).toEqual({});
    expect(told.at(-1)).toMatch(why);
    const alias = resolve({ facts: rule() }, [':facts'], { event: 'existing', output: { facts } });
    await expect(alias).rejects.toThrow(why);
  });
});

describe('before each question', () => {
  const onTurn = { apply_on: { new: false, fork: false, turn: true } };
  const labels = {
    said: { ...rules, ...onTurn, value: 'x' },
    free: { ...rules, ...onTurn, run: 'unattended' as const, value: { cmd: 'x' } },
    asks: { ...rules, ...onTurn, value: { cmd: 'x' } },
    never: { ...rules, ...onTurn, run: 'deny' as const, value: { cmd: 'x' } },
    once: { ...rules, value: 'x' },
  };

  it.each(['new', 'fork', 'turn'] as const)(
    'puts on texts and unattended commands alone: %s',
    async (event) => {
      const { labels: put, told } = await resolve(labels, [], { event });
      expect(put).toEqual({ said: 'x', free: 'out', ...(event === 'new' && { once: 'x' }) });
      expect(told).toEqual(['ran free: x']);
    },
  );

  it('leaves alone what only changes labels', async () => {
    expect(await resolve(labels, ['a=b'], { event: 'existing' })).toEqual({ labels: { a: 'b' }, told: [] });
  });
});
