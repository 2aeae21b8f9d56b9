import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth, neutralise, singleLine, terminalJson } from './terminal-text.ts';

const ESC = '\u001b';

it.each([
  ['colour', `${ESC}[31mred${ESC}[0m`, '\\u{1B}[31mred\\u{1B}[0m'],
  ['title', `${ESC}]0;owned\u0007x`, '\\u{1B}]0;owned\\u{7}x'],
  ['hyperlink', `${ESC}]8;;http://x${ESC}\\y`, '\\u{1B}]8;;http://x\\u{1B}\\y'],
  ['OSC that is never closed', `${ESC}]52;c;aGk=`, '\\u{1B}]52;c;aGk='],
  ['DCS that is never closed', `${ESC}P$q"p`, '\\u{1B}P$q"p'],
  ['APC, PM, SOS', `${ESC}_a${ESC}^b${ESC}Xc`, '\\u{1B}_a\\u{1B}^b\\u{1B}Xc'],
  ['C1 controls', '\u009b31m\u009d0;x\u009c\u0090q', '\\u{9B}31m\\u{9D}0;x\\u{9C}\\u{90}q'],
  ['a line written over', 'rm -rf /\recho hello', 'rm -rf /\\u{D}echo hello'],
  ['two returns before a line end', 'a\r\r\nb', 'a\\u{D}\nb'],
  ['backspaces, bell, null, delete', 'a\b\u0007\0\u007f', 'a\\u{8}\\u{7}\\u{0}\\u{7F}'],
  ['form feed and vertical tab', 'a\f\v', 'a\\u{C}\\u{B}'],
  ['bidirectional override', 'a\u202ecod.exe\u202c', 'a\\u{202E}cod.exe\\u{202C}'],
  ['bidirectional isolates', '\u2066x\u2069\u061c\u200f', '\\u{2066}x\\u{2069}\\u{61C}\\u{200F}'],
  ['tag characters', 'a\u{e0068}\u{e0069}', 'a\\u{E0068}\\u{E0069}'],
  ['tags after a flag', '🏴\u{e0067}\u{e007f}', '🏴\\u{E0067}\\u{E007F}'],
  ['bytes smuggled in selectors', '😀\u{e0148}\u{fe01}', '😀\\u{E0148}\\u{FE01}'],
  [
    'invisible characters',
    'a\u200bb\u2060c\ufeffd\u00ade\u034ff',
    'a\\u{200B}b\\u{2060}c\\u{FEFF}d\\u{AD}e\\u{34F}f',
  ],
  ['blank letters', 'a\u3164b\uffa0c\u115fd', 'a\\u{3164}b\\u{FFA0}c\\u{115F}d'],
  ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\\u{D800}b\\u{DC00}'],
  ['noncharacters', '\ufffe\u{1ffff}', '\\u{FFFE}\\u{1FFFF}'],
])('shows %s', (_, text, shown) => {
  expect(neutralise(text)).toBe(shown);
});

it.each([
  ['line ends and tabs', 'a\tb\nc\n'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['skin and hair', '👩🏽‍🦰 🏃🏿‍♀️'],
  ['flags', '🏳️‍🌈 🇩🇪'],
  ['a heart on fire', '❤️‍🔥'],
  ['text and emoji style', '☎︎ ☎️ ©️'],
  ['keycaps', '1️⃣ #️⃣'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner and a non-joiner', 'क्\u200dष क्\u200cष'],
  ['Sinhala with a joiner', 'ශ්\u200dරී'],
  ['Arabic number signs', '\u0600١'],
  ['Hebrew, Thai, Korean, accents', 'שלום ไทย 한국어 e\u0301'],
])('leaves %s alone', (_, text) => {
  expect(neutralise(text)).toBe(text);
});

it.each([
  ['a joiner between Latin letters', 'pay\u200dpal', 'pay\\u{200D}pal'],
  ['a non-joiner between Latin letters', 'a\u200cb', 'a\\u{200C}b'],
  ['a joiner between an emoji and a letter', '😀\u200da', '😀\\u{200D}a'],
  ['a joiner at the end', '😀\u200d', '😀\\u{200D}'],
  ['several joiners between letters', 'می\u200c\u200d\u200cخ', 'می\\u{200C}\\u{200D}\\u{200C}خ'],
  ['an emoji selector after a letter', 'a\ufe0f', 'a\\u{FE0F}'],
  ['an emoji selector after a plain digit', '1\ufe0f2', '1\\u{FE0F}2'],
  ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{FE0F}'],
  ['a selector after a selector kept', '❤\ufe0f\ufe0e\u200d🔥', '❤\ufe0f\\u{FE0E}\\u{200D}🔥'],
])('shows %s', (_, text, shown) => {
  expect(neutralise(text)).toBe(shown);
});

/** Text in which the interesting characters are frequent. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\u001b', '\u009b', '\r', '\n', '\r\n', '\t', '\u202e', '\u200d', '\u200c', '\ufe0f'],
      ),
      fc.constantFrom(
        ...['\u{e0041}', '\u{e0150}', '\ufeff', '\ud83d', '\udc00', '😀', '❤', '🏽', '1', '\u20e3'],
      ),
      fc.constantFrom(...['می', 'क्', 'a', ' ', '日', '한', 'e\u0301']),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** By number, sharing nothing with the code. Joiners and the two selectors have their own rules above. */
function isUnsafe(code: number): boolean {
  if (code === 9 || code === 10) return false;
  const ranges = [
    [0, 31], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5],
    [0x180b, 0x180f], [0x200b, 0x200b], [0x200e, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0x3164, 0x3164],
    [0xd800, 0xdfff], [0xfe00, 0xfe0d], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff0, 0xfffb], [0xfffe, 0xffff],
    [0xe0000, 0xe0fff],
  ] as const; // biome-ignore format: a table
  return ranges.some(([from, to]) => code >= from && code <= to);
}

it('never lets an unsafe character through, and changes nothing the second time', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const safe = neutralise(text);
      expect([...safe].filter((character) => isUnsafe(character.codePointAt(0) ?? 0))).toEqual([]);
      expect(neutralise(safe)).toBe(safe);
    }),
    { numRuns: 2000 },
  );
});

it('leaves plain text as it is', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aZ09 \n\t.,:;!?"\\/äß日本語한Жب') });
  fc.assert(
    fc.property(plain, (text) => {
      expect(neutralise(text)).toBe(text);
    }),
  );
});

it('knows every control, format and ignorable character of the first planes', () => {
  for (let code = 0; code <= 0xffff; code++) {
    if (isUnsafe(code))
      expect(neutralise(String.fromCharCode(code)), code.toString(16)).toMatch(/^\\u\{[0-9A-F]+\}$/);
  }
});

it('makes one line of several', () => {
  expect(singleLine('  a\r\n\tb \u001b[2J\n')).toBe('a b \\u{1B}[2J');
});

it.each([
  ['', 0],
  ['plain text', 10],
  ['größe', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['\u1112\u1161\u11ab', 2], // 한 in three jamo
  ['ㅎㅏㄴ', 6],
  ['ﾊﾝｶｸ', 4],
  ['ｶﾞ', 2], // half-width letter and half-width voicing mark
  ['ＡＢＣ', 6],
  ['、。「」', 8],
  ['\u303f', 1],
  ['e\u0301', 1],
  ['Z\u0351\u036b\u0343', 1],
  ['か\u3099', 2],
  ['ไทย', 3],
  ['น้ำ', 2],
  ['हिन्दी', 3],
  ['😀', 2],
  ['👍🏽', 2],
  ['☝🏽', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['👩🏽‍🦰', 2],
  ['🏳️‍🌈', 2],
  ['🇩🇪', 2],
  ['🇩🇪🇫🇷', 4],
  ['🇩', 1],
  ['1️⃣', 2],
  ['❤', 1],
  ['❤️', 2],
  ['☺︎', 1],
  ['©', 1],
  ['…', 1],
  ['─│', 2],
  ['𝒳', 1],
  ['𠀀', 2],
  ['䷀☰', 4],
  ['a👍🏽日e\u0301', 6],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

it('judges plain texts as it judges the same among others', () => {
  const rest = '\u001b';
  for (let code = 0; code < 0x2600; code++) {
    const character = String.fromCharCode(code);
    const alone = neutralise(character);
    expect([code, neutralise(character + rest)]).toEqual([code, `${alone}\\u{1B}`]);
    if (alone === character)
      expect([code, displayWidth(`${character}a\u0301`)]).toEqual([code, displayWidth(character) + 1]);
  }
});

it.each([
  ['plain', '"plain"'],
  ['ä 漢 🎉\n', '"ä 漢 🎉\\n"'],
  ['\u001b[31m\u009b1m', '"\\u001b[31m\\u009b1m"'],
  ['a\u202eb\u{e0041}', '"a\\u202eb\\udb40\\udc41"'],
])('writes %j', (value, json) => {
  expect(terminalJson(value)).toBe(json);
});

it('says the same as JSON does, in characters that are safe to show', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = terminalJson(value, indent);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(neutralise(text)).toBe(text);
    }),
  );
});
