import { requireTopic } from '../../../../domain/knowledge-base/learn/learn-from.ts';
import {
  type DescribedSubject,
  type DescribedTopic,
  describeTopics,
} from '../../../../domain/knowledge-base/open-topics.ts';
import { type KnowledgeBase, offeredKnowledge, type Topic } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';
import { type Cell, type Column, table } from '../../render/table.ts';

export const listTopics = command({
  name: 'ls',
  summary: 'list topics and subjects with their sizes',
  description: 'Tokens are estimates: a fourth of the bytes. Hidden subjects are shown with --hidden.',
  examples: ['kb ls', 'kb ls skills --hidden', 'kb ls --json'],
  arguments: [{ name: 'topic', summary: 'only this topic', complete: 'topics' }],
  options: [{ flags: '--hidden', summary: 'show hidden subjects too' }],

  async run({ arguments: [only], options, terminal, open }) {
    const app = await open();
    const knowledge = offeredKnowledge(app);
    const topics = only === undefined ? knowledge.topics : [anyTopic(knowledge, only)];
    const described = (await describeTopics(app, { ...knowledge, topics })).map((each) =>
      options.has('hidden') ? each : withoutHidden(each),
    );
    if (terminal.json) terminal.printJson({ topics: described.map(topicAsJson) });
    else if (described.length > 0)
      terminal.printStyled(table(terminal, COLUMNS, described.flatMap(topicRows)));
    else terminal.note('There are no topics. "ken kb new" makes one.');
  },
});

/** Also finds a topic that is switched off, since the whole list shows it too. */
function anyTopic(knowledge: KnowledgeBase, asked: string): Topic {
  return knowledge.topics.find(({ id }) => id === asked) ?? requireTopic(knowledge, asked);
}

function withoutHidden(described: DescribedTopic): DescribedTopic {
  return { ...described, subjects: described.subjects.filter(({ hidden }) => !hidden) };
}

const COLUMNS: readonly Column[] = [
  { title: 'subject', flexible: true },
  { title: 'bytes', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'state' },
  { title: 'about', flexible: true },
];

function topicRows(described: DescribedTopic): Cell[][] {
  const { topic, subjects } = described;
  const about = topic.title ?? topic.introduction ?? '';
  const row: Cell[] = [
    { text: topic.id, style: 'bold' },
    total(subjects, 'bytes'),
    total(subjects, 'tokens'),
  ];
  return [
    [...row, topicState(described), about],
    ...subjects.map((subject) => subjectRow(topic.id, subject)),
  ];
}

function total(subjects: readonly DescribedSubject[], price: 'bytes' | 'tokens'): string {
  return String(subjects.reduce((sum, subject) => sum + (subject[price] ?? 0), 0));
}

function topicState({ topic, problem, subjects }: DescribedTopic): string {
  const states = [
    topic.root !== undefined && 'personal',
    !topic.enabled && 'off',
    problem ?? (subjects.length === 0 && 'empty'),
  ];
  return states.filter(Boolean).join(', ');
}

function subjectRow(topicId: string, { slug, bytes, tokens, hidden, state }: DescribedSubject): Cell[] {
  const marks = [hidden && 'hidden', state !== 'available' && state, bytes === undefined && 'unreadable'];
  return [`${topicId}/${slug}`, String(bytes ?? ''), String(tokens ?? ''), marks.filter(Boolean).join(', ')];
}

function topicAsJson({ topic, problem, subjects }: DescribedTopic) {
  return {
    id: topic.id,
    title: topic.title ?? null,
    introduction: topic.introduction ?? null,
    enabled: topic.enabled,
    directory: topic.directory,
    ...(topic.root !== undefined && { personal: true }),
    problem: problem ?? null,
    subjects: subjects.map(({ slug, path, bytes, tokens, hidden, state }) => ({
      slug,
      path,
      bytes: bytes ?? null,
      tokens: tokens ?? null,
      hidden,
      learned: state === 'learned',
      disabled: state === 'disabled',
    })),
  };
}
