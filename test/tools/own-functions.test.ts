/** Components with functions of a world of their own: each is a tool, with a schema from its types. */

import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { ptyProblem } from '../cli/pty.ts';
import { connect, textOf } from '../mcp/connect.ts';
import { javascriptGuest } from '../wasm/build-guest.ts';
import { type Said, scriptedModel } from './model-script.ts';
import { toolSandbox } from './tool-sandbox.ts';

const WORLD = `package test:shop@0.1.0;

world shop {
    enum size { small, large }
    flags extras { milk, sugar-cane }
    record item { name: string, how-many: u32, size: size, note: option<string> }
    record bill { total-cents: u64, lines: list<string>, extras: extras }
    variant payment { cash, card(string) }

    /// Adds up an order.
    export total: func(items: list<item>, coupon: option<string>) -> result<bill, string>;
    export pay: func(by: payment, amounts: list<u32>, at: tuple<s16, bool>) -> string;
    export forget: func(id: s64);
    export count: func(to: u32) -> list<u32>;
}
`;
const SOURCE = `
export function total(items, coupon) {
  if (items.length === 0) throw 'nothing was ordered';
  const lines = items.map(({ name, howMany, size, note }) => [howMany, name, size, note ?? '-'].join(' '));
  return { totalCents: 250, lines: [...lines, coupon ?? 'no coupon'], extras: { milk: false, sugarCane: true } };
}
export function pay(payment, amounts, [shift, isOpen]) {
  return [payment.tag, payment.val, amounts[0] + amounts[1], shift, isOpen].join(' ');
}
export function forget(id) {
  if (id !== -42) throw new Error('wrong number');
}
export function count(to) {
  return Uint32Array.from({ length: to }, (_, at) => at);
}
`;

const shop = () => javascriptGuest({ source: SOURCE, world: WORLD, name: 'shop' });

async function shopPlace(more = '', ...said: readonly Said[]): Promise<Sandbox> {
  const model = said.length > 0 ? await scriptedModel(...said) : undefined;
  const place = toolSandbox(`${model?.config ?? ''}[conversation.tools.shop]
wasm = "@home/shop.wasm"
access = "none"
run = "unattended"
${more}`);
  copyFileSync(await shop(), path.join(place.home, 'shop.wasm'));
  return place;
}

const ITEM = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    'how-many': { type: 'integer', minimum: 0, maximum: 4294967295 },
    size: { type: 'string', enum: ['small', 'large'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['name', 'how-many', 'size'],
  additionalProperties: false,
};
const ORDER = { items: [{ name: 'tea', 'how-many': 2, size: 'large' }], coupon: 'spring' };
const BILL = {
  'total-cents': 250,
  lines: ['2 tea large -', 'spring'],
  extras: ['sugar-cane'],
};

it('are shown with schemas, and called at the command line', async () => {
  const place = await shopPlace();
  const file = path.join(place.home, 'shop.wasm');
  const json = async (...words: string[]) => JSON.parse((await place.ken([...words, '--json'])).stdout);
  const { functions } = await json('tools', 'inspect', file);
  expect(functions.map(({ name }: { name: string }) => name)).toEqual(['total', 'pay', 'forget', 'count']);
  expect(functions[0].parameters).toEqual({
    type: 'object',
    properties: {
      items: { type: 'array', items: ITEM },
      coupon: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['items'],
    additionalProperties: false,
  });
  expect((await place.ken(['tools', 'check', file])).stdout).toContain(
    'has functions of its own: total, pay, forget, count.',
  );
  const { tools } = await json('tools', 'ls');
  const own = tools.filter(({ name }: { name: string }) => name.startsWith('shop'));
  expect(own.map(({ name }: { name: string }) => name)).toEqual([
    'shop_total',
    'shop_pay',
    'shop_forget',
    'shop_count',
  ]);
  const run = async (tool: string, given: object, ...words: string[]) =>
    json('tools', 'run', tool, JSON.stringify(given), ...words);
  expect(await run('shop_total', ORDER)).toMatchObject({
    outcome: { type: 'success', content: JSON.stringify(BILL) },
    data: { result: BILL },
  });
  expect(await run('shop_total', { items: [] })).toMatchObject({
    outcome: { type: 'error', message: 'nothing was ordered' },
  });
  const paying = { by: { tag: 'card', val: '42' }, amounts: [1, 2], at: [-3, true] };
  expect(await run(file, paying, '--function', 'pay')).toMatchObject({
    outcome: { content: 'card 42 3 -3 true' },
    data: { result: 'card 42 3 -3 true' },
  });
  expect(await run('shop_forget', { id: '-42' })).toMatchObject({
    outcome: { content: 'Done.' },
  });
  const { data } = await run('shop_count', { to: 150_000 });
  expect(data.result).toHaveLength(150_000);
});

it.each([
  ['shop_total', { items: [{ name: 'tea', 'how-many': -1, size: 'large' }] }, 'items[0].how-many'],
  ['shop_total', { items: [{ name: 'tea', 'how-many': 1, size: 'huge' }] }, 'items[0].size'],
  ['shop_total', { items: [], howMany: 1 }, 'howMany: is not known here'],
  ['shop_pay', { by: { tag: 'barter' }, amounts: [], at: [1, true] }, 'by'],
  ['shop_pay', { by: { tag: 'cash' }, amounts: [], at: [1, true, 2] }, 'at[2]'],
  ['shop', {}, 'Its functions are tools: shop_total, shop_pay, shop_forget, shop_count.'],
])('are not called with what does not fit: %s %j', async (tool, given, told) => {
  const place = await shopPlace();
  const { code, stderr } = await place.ken(['tools', 'run', tool, JSON.stringify(given)]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(told);
});

it('are configured one by one', async () => {
  const place = await shopPlace(
    'functions.pay = { run = "ask", description = "Pays." }\nfunctions.forget = { enable = false }\n',
  );
  const { tools } = JSON.parse((await place.ken(['tools', 'ls', '--json'])).stdout);
  const shown = tools
    .filter(({ name }: { name: string }) => name.startsWith('shop'))
    .map(({ name, run, description }: Record<string, string>) => `${name} ${run} ${description}`);
  expect(shown).toEqual([
    'shop_total unattended Calls total.',
    'shop_pay ask Pays.',
    'shop_count unattended Calls count.',
    'shop_forget disabled Calls forget.',
  ]);
  const paying = JSON.stringify({ by: { tag: 'cash' }, amounts: [], at: [1, true] });
  expect((await place.ken(['tools', 'run', 'shop_pay', paying])).code).toBe(4);
});

it.each([
  [
    'functions.steal = { enable = false }\n',
    'conversation.tools.shop.functions: the component has no function "steal".',
  ],
  ['[conversation.tools.shop_pay]\ncommand = "true"\n', 'There are two tools named "shop_pay".'],
])('are refused with a wrong configuration: %j', async (more, told) => {
  const place = await shopPlace(more);
  expect((await place.ken(['tools', 'ls'])).stderr).toContain(told);
});

it('are called by a model', async () => {
  const place = await shopPlace('', { call: 'shop_total', with: ORDER }, 'Paid.');
  const { code, stdout, stderr } = await place.ken(['q', 'Order tea.']);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Paid.\n',
    stderr: `→ shop_total ${JSON.stringify(ORDER)}\n`,
  });
});

it('are offered and called over MCP', async () => {
  const place = await shopPlace();
  const { client } = await connect(place);
  const { tools } = await client.listTools();
  const offered = tools.filter(({ name }) => name.startsWith('shop_'));
  expect(offered.map(({ name }) => name)).toEqual(['shop_total', 'shop_pay', 'shop_forget', 'shop_count']);
  expect(offered[0]?.inputSchema).toMatchObject({
    properties: { items: { items: ITEM } },
    required: ['items'],
  });
  const result = await client.callTool({ name: 'shop_total', arguments: ORDER });
  expect([textOf(result), result.structuredContent]).toMatchObject([JSON.stringify(BILL), { result: BILL }]);
});

const WALKS = `(component
  (core module $m (func (export "f"))) (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f"))) (export "walkwalk" (func $f)))`;

/** A component with one function of this name, of eight bytes, and these docs. */
async function walking(name: string, docs: string): Promise<Buffer> {
  const bytes = Buffer.from(await parse(WALKS));
  for (let at = bytes.indexOf('walkwalk'); at !== -1; at = bytes.indexOf('walkwalk', at + 8))
    bytes.write(name, at, 'latin1');
  const told = Buffer.from(JSON.stringify({ worlds: { w: { func_exports: { [name]: docs } } } }));
  const content = Buffer.concat([Buffer.from('\x0cpackage-docs\x01'), told]);
  const section = Buffer.from([0, (content.length & 0x7f) | 0x80, content.length >> 7]);
  return Buffer.concat([bytes, section, content]);
}

const HOSTILE = '\u001b]0;owned\u0007\u009b31m\u202e\u2066\r';

it.skipIf(ptyProblem() !== undefined).each([
  [['tools', 'inspect', 'FILE'], 'walkwalk'],
  [['tools', 'show', 'shop_walkwalk'], 'walkwalk'],
  [['tools', 'ls'], '\u001b[31mred'],
])('cannot write on a terminal by their names and comments: %j', async (words, name) => {
  const place = toolSandbox('[conversation.tools.shop]\nwasm = "@home/shop.wasm"\naccess = "none"\n');
  const file = path.join(place.home, 'shop.wasm');
  writeFileSync(file, await walking(name, `Walks.${HOSTILE}${'x'.repeat(9000)}`));
  const { text } = await atTerminal(
    place,
    words.map((word) => (word === 'FILE' ? file : word)),
    [],
    { environment: { PAGER: 'cat' } },
  );
  expect(text).toMatch(/u\{(?:1B|9B)\}/i);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(text.length).toBeLessThan(10_000);
});
