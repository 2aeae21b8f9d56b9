import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { estimateTokens } from '../../base/text.ts';
import type { Chunk, FileText } from '../../domain/chunks/chunk.ts';
import { expectWholeFile, itCutsFiles } from '../../domain/chunks/chunker.contract.ts';
import { LANGUAGES, type Language, languageOf } from '../../domain/chunks/file-kind.ts';
import { plainChunks } from '../../domain/chunks/plain-chunks.ts';
import { ParseThread } from './parse-thread.ts';
import { ParsePool, treeSitterChunker } from './tree-sitter.ts';

const chunker = treeSitterChunker({ threads: 1 });
const impatient = treeSitterChunker({ threads: 1, limitMs: 40 });
afterAll(async () => {
  await Promise.all([chunker.close(), impatient.close()]);
});

itCutsFiles('tree-sitter', () => impatient);

const samples = path.join(import.meta.dirname, '../../../test/chunks/samples');

/** A sample of a language, each line that says "fill" as often as it takes to make its function large. */
function sampleOf(language: Language, times = 60): FileText {
  const file = readdirSync(samples).find((name) => name.startsWith(`${language}.`)) ?? 'none';
  const lines = readFileSync(path.join(samples, file), 'utf8').split(/(?<=\n)/);
  const text = lines.map((line) => (/\bfill\b/.test(line) ? line.repeat(times) : line)).join('');
  return { path: file.replace(/\.txt$/, ''), text };
}

async function cut(file: FileText): Promise<readonly Chunk[]> {
  const chunks = await chunker.chunk(file);
  expectWholeFile(file, chunks);
  return chunks;
}

const firstLine = ({ text }: Chunk) =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();

/** By language: of each chunk its heading, and the line that it begins with. */
const EXPECTED: Record<Language, [heading: string, begins: string][]> = {
  bash: [
    ['hello', '#!/usr/bin/env bash'],
    ['bye', 'function bye {'],
  ],
  c: [
    ['point', '#include <stdio.h>'],
    ['add', '/* Adds two. */'],
    ['main', 'int main(void) {'],
  ],
  cpp: [
    ['shop › Shop › Shop', '#include <string>'],
    ['shop › Shop › sell', '/// Sells one.'],
    ['shop › Shop<int>::close', 'void Shop<int>::close() {'],
  ],
  csharp: [
    ['Shops › Shop › Count, Shop', 'using System;'],
    ['Shops › Shop › Sell', '/// <summary>Sells one.</summary>'],
  ],
  css: [
    ['.header > h1', '@import url("base.css");'],
    ['@media (max-width: 600px) › .menu', '@media (max-width: 600px) {'],
    ['@media (max-width: 600px) › .menu a:hover', '.menu a:hover {'],
  ],
  go: [
    ['Shop, Open', 'package shop'],
    ['Shop.Sell, limit', '// Sell sells one.'],
  ],
  html: [
    ['', '<!DOCTYPE html>'],
    ['#goods', '<body>'],
    ['#prices', '<section id="prices">'],
    ['script', '<script>'],
  ],
  java: [
    ['Shop › Shop', 'package shop;'],
    ['Shop › sell', '/** Sells one. */'],
    ['Shop › Buyer', 'interface Buyer {'],
  ],
  javascript: [
    ['open', "'use strict';"],
    ['Shop › constructor', 'class Shop {'],
    ['Shop › sell', 'sell(what) {'],
    ['exports.close, module.exports', '// Closes it.'],
  ],
  kotlin: [
    ['Shop › sell', 'package market'],
    ['Shop › companion', 'companion object {'],
    ['free', 'fun free(): Int {'],
  ],
  lua: [
    ['M.sell', 'local M = {}'],
    ['free', 'local function free()'],
    ['M:open', 'function M:open(name)'],
  ],
  php: [
    ['Market, Shop › sell', '<?php'],
    ['Shop › open', 'public static function open(string $name): self'],
    ['free', 'function free(): void'],
  ],
  python: [
    ['LIMIT, water', '"""About a garden."""'],
    ['Garden › size, plants', 'class Garden(Base):'],
    ['Garden › grow', 'async def grow(self):'],
  ],
  ruby: [
    ['Market', "require 'set'"],
    ['free', 'def free'],
  ],
  rust: [
    ['Point, ORIGIN', 'use std::fmt;'],
    ['Point', 'impl Point {'],
    ['inner', 'mod inner {'],
    ['square', 'macro_rules! square {'],
  ],
  scala: [
    ['Shop', 'package market'],
    ['Shop', 'object Shop {'],
  ],
  tsx: [
    ['Counter', "import { useState } from 'react';"],
    ['List', 'export const List = ({ rows }: { rows: string[] }) => ('],
  ],
  typescript: [
    ['Stock, Cellar › put', "import { readFile } from 'node:fs/promises';"],
    ['Cellar › open', 'static async open(path: string): Promise<string> {'],
    ['weigh', '// An arrow is a function, too.'],
    ['count', 'export default function count(stock: Stock): number {'],
    ['Kind, Colour, Orchard', "type Kind = 'apple' | 'pear';"],
  ],
};

it.each(LANGUAGES)('cuts %s along its symbols, with what stands above them', async (language) => {
  const file = sampleOf(language);
  expect(languageOf(file.path)).toBe(language);
  const found = (await cut(file)).map((chunk) => [chunk.heading, firstLine(chunk)]);
  expect(found).toEqual(EXPECTED[language]);
});

it.each(LANGUAGES)('takes a large %s function apart between its statements', async (language) => {
  const file = sampleOf(language, 400);
  const chunks = await cut(file);
  expect(Math.max(...chunks.map(({ text }) => estimateTokens(text)))).toBeLessThanOrEqual(860);
  expect(Math.min(...chunks.map(({ text }) => estimateTokens(text)))).toBeGreaterThanOrEqual(300);
  const nameless = chunks.filter(({ heading }) => heading === '');
  // The head of a page has no id.
  expect(nameless.length > 0).toBe(language === 'html');
});

it('loses nothing of a source that was damaged in any way', async () => {
  const damage = fc.record({
    language: fc.constantFrom(...LANGUAGES),
    times: fc.constantFrom(1, 30, 90),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    put: fc.constantFrom('', '\r\n', '{', '}', '"', "'''", '/*', '<', '\u2028', '𝒳'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ language, times, from, to, put, lineEnd }) => {
      const { path: file, text } = sampleOf(language, times);
      const [start = 0, end = 0] = [from, to]
        .sort((a, b) => a - b)
        .map((share) => Math.floor(share * text.length));
      const damaged = (text.slice(0, start) + put + text.slice(end)).replaceAll('\n', lineEnd).toWellFormed();
      await cut({ path: file, text: damaged });
    }),
    { numRuns: scaled(25, 800) },
  );
});

it.each([
  [
    'a.test.ts',
    "describe('a shop', () => {\n",
    (title: string) => `  it(\`${title}\`, () => {\n`,
    '  });\n',
    '});\n',
  ],
  [
    'a_spec.lua',
    'describe("a shop", function()\n',
    (title: string) => `  it("${title}", function()\n`,
    '  end)\n',
    'end)\n',
  ],
  ['a_spec.rb', 'describe "a shop" do\n', (title: string) => `  it "${title}" do\n`, '  end\n', 'end\n'],
])('names tests in %s by their titles', async (file, open, openTest, closeTest, close) => {
  const body = '    check(1)\n'.repeat(200);
  const text = `${open}${openTest('sells')}${body}${closeTest}${openTest('buys')}${body}${closeTest}${close}`;
  const headings = (await cut({ path: file, text })).map(({ heading }) => heading);
  expect(headings).toEqual(['a shop › sells', 'a shop › buys']);
});

it('falls back to lines when a grammar takes too long', async () => {
  const file = { path: 'a.lua', text: 'let a = 1;\n'.repeat(20_000) };
  expect(await impatient.chunk(file)).toEqual(plainChunks(file));
  const sound = sampleOf('lua', 60);
  expect((await impatient.chunk(sound)).map(({ heading }) => heading)).toEqual(
    EXPECTED.lua.map(([name]) => name),
  );
});

it('falls back when nothing of a file is what its name says', async () => {
  const file = { path: 'a.c', text: '%%% ??? {{{ \u0001 ;;; )))\n'.repeat(200) };
  expect(await chunker.chunk(file)).toEqual(plainChunks(file));
});

it('does not parse what is huge', async () => {
  const file = { path: 'a.ts', text: 'export const a = 1;\n'.repeat(60_000) };
  expect(await cut(file)).toEqual(plainChunks(file));
});

it('goes on with another thread when a grammar does not come back', async () => {
  const hasty = treeSitterChunker({ threads: 1, patienceMs: 1 });
  const file = sampleOf('typescript', 2000);
  const both = await Promise.all([hasty.chunk(file), hasty.chunk(file)]);
  expect(both).toEqual([plainChunks(file), plainChunks(file)]);
  await hasty.close();
});

it('loses only the text that a grammar crashed on, not those that waited behind it', async () => {
  const thread = new ParseThread(20_000);
  const broken = { text: 'int x;\n', language: 'none' as Language, limitMs: 20_000 };
  const sound = { ...broken, language: 'c' as const };
  const outcomes = await Promise.all([thread.parse(sound), thread.parse(broken), thread.parse(sound)]);
  expect(outcomes).toMatchObject([{ headings: ['x'] }, undefined, 'lost']);
  expect([thread.isUsable, await thread.parse(sound)]).toEqual([false, 'lost']);
});

it('parses on another thread what a crash left behind', async () => {
  const pool = new ParsePool(1, 20_000);
  const broken = { text: 'int x;\n', language: 'none' as Language, limitMs: 20_000 };
  const both = await Promise.all([pool.parse(broken), pool.parse({ ...broken, language: 'c' })]);
  expect(both).toMatchObject([undefined, { headings: ['x'] }]);
  await pool.close();
});

it('parses a function of more than a hundred thousand statements', async () => {
  const pool = new ParsePool(1, 60_000);
  const text = `function f() {\n${'a;\n'.repeat(140_000)}}\n`;
  const reply = await pool.parse({ text, language: 'javascript', limitMs: 60_000 });
  expect([...new Set(reply?.headings)]).toEqual(['f']);
  await pool.close();
});

it('answers what still waits when it is closed, and starts nothing any more', async () => {
  const closing = treeSitterChunker({ threads: 1 });
  const file = sampleOf('typescript', 500);
  const waiting = Array.from({ length: 5 }, () => closing.chunk(file));
  await closing.close();
  expect(await Promise.all([...waiting, closing.chunk(file)])).toEqual(Array(6).fill(plainChunks(file)));
});
