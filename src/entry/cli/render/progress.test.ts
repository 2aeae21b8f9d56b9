import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth } from '../../../base/terminal-text.ts';
import { type ProgressSink, progress } from './progress.ts';
import { bytes } from './progress-text.ts';

/** A progress whose clock the test moves; `written` gives what came since the last look. */
function begun(form: ProgressSink['form'], columns = 80) {
  let now = 1_000_000;
  let text = '';
  const sink: ProgressSink = {
    form,
    columns: () => columns,
    write: (part) => {
      text += part;
    },
  };
  return {
    shown: progress(sink, { now: () => now }),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    written: () => {
      const since = text;
      text = '';
      return since;
    },
  };
}

const drawn = (line: string) => `\r${line}\u001b[K`;

it('draws a bar with share, amount, time left and rate', () => {
  const { shown, wait, written } = begun('bar');
  shown.phase({ title: 'Indexing', total: 1000, unit: 'files' });
  expect(written()).toBe(drawn('Indexing  [----------------------------]  0%  0/1000 files'));
  wait(2000);
  shown.update(500);
  expect(written()).toBe(
    drawn('Indexing  [##############--------------]  50%  500/1000 files  2 s left  250/s'),
  );
  wait(50);
  shown.update(510);
  expect(written()).toBe('');
  wait(50);
  shown.update(1000);
  expect(written()).toBe(drawn('Indexing  [############################]  100%  1000/1000 files  476/s'));
  shown.end();
  expect(written()).toBe('\r\u001b[K');
  shown.end();
  shown.update(5);
  expect(written()).toBe('');
});

it.each([
  [79, 'Fetching  [########----------------]  33%  1.0 MiB/3.0 MiB  4 s left  512 KiB/s'],
  [56, 'Fetching  33%  1.0 MiB/3.0 MiB  4 s left  512 KiB/s'],
  [40, 'Fetching  33%  1.0 MiB/3.0 MiB  4 s left'],
  [20, 'Fetching  33%'],
  [6, 'Fetch…'],
])('fits its bar into %i columns', (columns, line) => {
  const { shown, wait, written } = begun('bar', columns + 1);
  shown.phase({ title: 'Fetching', unit: 'bytes' });
  written();
  wait(2000);
  shown.update(2 ** 20, 3 * 2 ** 20);
  expect(written()).toBe(drawn(line));
});

it('counts where the end is not known', () => {
  const { shown, wait, written } = begun('bar');
  shown.phase({ title: 'Walking', unit: 'files' });
  wait(3000);
  written();
  shown.update(7);
  expect(written()).toBe(drawn('Walking  7 files  2.3/s'));
});

it('goes on to the next phase in the same line', () => {
  const { shown, written } = begun('bar');
  shown.phase({ title: 'One', total: 2 });
  shown.phase({ title: 'Two' });
  shown.end();
  expect(written()).toBe(
    `${drawn('One  [----------------------------]  0%  0/2')}${drawn('Two  0')}\r\u001b[K`,
  );
});

it('gives way to other words and comes back', () => {
  const { shown, written } = begun('bar');
  shown.phase({ title: 'One' });
  written();
  shown.hide();
  shown.hide();
  expect(written()).toBe('\r\u001b[K');
  shown.update(1);
  expect(written()).toBe(drawn('One  1'));
});

it('shows titles inert', () => {
  const { shown, written } = begun('bar');
  shown.phase({ title: 'a\n\u001b[2Jb' });
  expect(written()).toBe(drawn('a \\u{1B}[2Jb  0'));
});

it('writes a line every few seconds into a log, and none about quick work', () => {
  const { shown, wait, written } = begun('lines');
  shown.phase({ title: 'Quick', total: 10 });
  wait(4000);
  shown.update(10);
  shown.phase({ title: 'Slow', total: 100, unit: 'files' });
  for (const done of [10, 20, 30]) {
    wait(2500);
    shown.update(done);
  }
  expect(written()).toBe('Slow: 20%, 20/100 files, 4.0/s, 20 s left\n');
  wait(2500);
  shown.phase({ title: 'Next' });
  shown.hide();
  shown.end();
  expect(written()).toBe('Slow: 30 files in 10 s\n');
});

it('says nothing where nothing is wanted', () => {
  const { shown, wait, written } = begun('none');
  shown.phase({ title: 'One', total: 10 });
  wait(60_000);
  shown.update(10);
  shown.end();
  expect(written()).toBe('');
});

it('never draws over the edge, whatever the numbers', () => {
  const number = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.constantFrom(0, -1, 1e15));
  fc.assert(
    fc.property(
      number,
      fc.option(number, { nil: undefined }),
      fc.nat(1e7),
      fc.integer({ min: 1, max: 120 }),
      (...all) => {
        const [done, total, wait, columns] = all;
        const it = begun('bar', columns);
        it.shown.phase({ title: '日本語 title', total, unit: 'files' });
        it.wait(wait);
        it.shown.update(done);
        for (const line of it.written().split('\r')) {
          expect(displayWidth(line.replace('\u001b[K', ''))).toBeLessThan(Math.max(columns, 1));
        }
        it.shown.end();
        expect(it.written()).toBe('\r\u001b[K');
      },
    ),
  );
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [150 * 1024, '150 KiB'],
  [5 * 2 ** 30, '5.0 GiB'],
  [3 * 2 ** 40, '3.0 TiB'],
])('%i bytes are %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});
