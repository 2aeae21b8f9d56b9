import { expect, it } from 'vitest';
import { scriptedQuestioner } from '../../../test/doubles/approvers.ts';
import type { Json } from '../../base/json.ts';
import { answerQuestion } from './answer-question.ts';
import type { Questioner } from './questioner.ts';
import { success, type Tool } from './tool.ts';
import { type QuestionEntry, toolSettings } from './tool-settings.ts';

const never = new AbortController().signal;
const tool: Tool = {
  name: 'deploy',
  description: '',
  parameters: {},
  reach: 'execute',
  run: 'ask',
  call: async () => ({ outcome: success('') }),
};
const question = { id: 'sure', text: 'Sure?', answerType: 'boolean' } as const;

/** The answer, and the person or model that was asked. */
async function answered(entry: QuestionEntry, { person, assistant }: { person?: Json; assistant?: Json }) {
  const asked: string[] = [];
  const persons = scriptedQuestioner(...(person === undefined ? [] : [person]));
  const questioner: Questioner = {
    ...persons,
    ask: (...input) => {
      asked.push('person');
      return persons.ask(...input);
    },
  };
  const askAssistant = async () => {
    asked.push('assistant');
    return assistant;
  };
  const settings = toolSettings({ deploy: { command: 'x', questions: { sure: entry } } });
  const answer = await answerQuestion({ questioner, askAssistant }, settings)(
    { tool, arguments: {}, question },
    never,
  );
  return { answer, asked };
}

const isAssistants = { target: 'assistant' } as const;

it.each<[string, QuestionEntry, { person?: Json; assistant?: Json }, Json | undefined, string[]]>([
  ['what is configured, without asking', { answer: false }, { person: true, assistant: true }, false, []],
  ['the person', {}, { person: true, assistant: false }, true, ['person']],
  ['the person before the assistant', isAssistants, { person: false, assistant: true }, false, ['person']],
  ['the assistant when nobody is there', isAssistants, { assistant: true }, true, ['assistant']],
  [
    'the assistant when the person has none',
    isAssistants,
    { person: 'x', assistant: true },
    true,
    ['person', 'assistant'],
  ],
  [
    'nobody when the assistant answers something else',
    isAssistants,
    { assistant: 'perhaps' },
    undefined,
    ['assistant'],
  ],
  ['the person when what is configured does not fit', { answer: 'yes' }, { person: true }, true, ['person']],
  ['nobody when nobody is there', {}, { assistant: true }, undefined, []],
  ['nobody when the person answers something else', {}, { person: 'perhaps' }, undefined, ['person']],
])('takes the answer of %s', async (_, entry, given, answer, asked) => {
  expect(await answered(entry, given)).toEqual({ answer, asked });
});
