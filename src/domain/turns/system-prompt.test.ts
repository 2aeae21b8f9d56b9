import { expect, it } from 'vitest';
import { type PromptSection, systemPrompt } from './system-prompt.ts';

const plain = { system_prompt: 'Be careful.', instructions: [], sections: [] };
const section = (content: string, given: Partial<PromptSection> = {}): PromptSection => ({
  content,
  position: 0,
  ...given,
});

it('puts sections in their positions, equal ones as they were configured, and knowledge last', () => {
  const sections = [section('third', { position: 1 }), section('first', { position: -1 }), section('second')];
  expect(
    systemPrompt({ ...plain, sections: [...sections, section('fourth', { position: 1 })] }, ['<k/>']),
  ).toBe('Be careful.\n\nfirst\n\nsecond\n\nthird\n\nfourth\n\n<k/>');
});

it.each<[PromptSection, string]>([
  [section('a < b'), 'a < b'],
  [section('text', { title: 'Style' }), '# Style\n\ntext'],
  [section('<x> & y', { tag: 'rules' }), '<rules>\n<x> & y\n</rules>'],
  [section('text', { tag: 'rules', title: 'A "b"' }), '<rules title="A \\"b\\"">\ntext\n</rules>'],
])('shows %j as it is configured, without changing a character of it', (given, shown) => {
  expect(systemPrompt({ ...plain, sections: [given] }, [])).toBe(`Be careful.\n\n${shown}`);
});

it('lists instructions, and leaves out what is empty', () => {
  expect(systemPrompt({ ...plain, instructions: ['Be brief.', 'Cite.'] }, [undefined, ' \n'])).toBe(
    'Be careful.\n\nInstructions:\n\n- Be brief.\n- Cite.',
  );
  expect(systemPrompt({ ...plain, system_prompt: '' }, [])).toBe('');
});
