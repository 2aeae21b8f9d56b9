import { describe, expect, it } from 'vitest';
import { markdown, marked } from './text.ts';

const shown = async (text: string) => String(await markdown(text));

describe('links in foreign text', () => {
  it.each([
    ['[https://bank.example/](https://evil.example/login)', '(leads to evil.example)'],
    ['[www.bank.example](https://evil.example)', '(leads to evil.example)'],
    ['[bank.example](https://bank.example.evil.example)', '(leads to bank.example.evil.example)'],
    ['[ban\u200bk.example](https://evil.example)', '(leads to evil.example)'],
    ['[\u202eelpmaxe.knab\u202c.example](https://evil.example)', '(leads to evil.example)'],
    ['[https://bank.example@evil.example](https://other.example)', '(leads to other.example)'],
    ['[**bank.example**](https://evil.example)', '(leads to evil.example)'],
    ['[ada@bank.example](mailto:eve@evil.example)', '(leads to evil.example)'],
  ])('say where %s leads', async (text, told) => {
    expect(await shown(text)).toContain(told);
  });

  it.each([
    '[the bank](https://bank.example)',
    '[bank.example](https://www.bank.example/)',
    '[https://bank.example/a](https://bank.example/b)',
    '[README.md](https://github.com/honojs/hono)',
    'https://bank.example',
    'www.bank.example/a',
    'ada@bank.example',
    '[ada@bank.example](mailto:ada@bank.example?subject=x)',
  ])('say nothing more of %s', async (text) => {
    expect(await shown(text)).not.toContain('leads to');
  });

  it('show on hover where they lead', async () => {
    expect(await shown('[the bank](https://evil.example/x)')).toContain('title="https://evil.example/x"');
  });
});

it('aligns the columns of a table as it says', async () => {
  const html = await shown('| name | bytes |\n|---|--:|\n| a | 1,024 |\n');
  expect(html).toContain('<th class="end">bytes</th>');
  expect(html).toContain('<td>a</td><td class="end">1,024</td>');
});

it('marks the words of a question, and none that every text has', async () => {
  expect(String(await marked('The gate opens the yard.', 'how does the gate open?'))).toBe(
    'The <mark>gate</mark> <mark>opens</mark> the yard.',
  );
});
