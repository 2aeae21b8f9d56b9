import { type Catalog, isListed, type Subject } from '../catalog.ts';
import { parseFrontMatter } from '../front-matter.ts';
import { inertLine, inertText } from '../inert-text.ts';
import type { SubjectFile } from '../slugs.ts';
import type { SubjectFiles } from '../subject-files.ts';
import { readSubjectText } from '../subject-text.ts';
import { type Topic, topicHeading } from '../topic.ts';
import type { LearnAnswer } from './learn-answer.ts';

export function listSubjects(
  files: SubjectFiles,
  topic: Pick<Topic, 'id' | 'title' | 'description'>,
  catalog: Catalog,
): LearnAnswer {
  const available = catalog.subjects.filter(isListed).map((subject) => listed(files, subject));
  const learned = catalog.subjects.filter(({ state }) => state === 'learned').map(({ slug }) => slug);
  const text = [
    `# Topic: ${inertLine(topicHeading(topic))}`,
    inertText(topic.description?.trim() ?? ''),
    '## Available subjects:',
    available.length > 0 ? available.map(bullet).join('\n') : '(none)',
    available.length > 0 ? HOW_TO_LEARN : '',
    learned.length > 0 ? '## Already learned (in system prompt):' : '',
    learned.map((slug) => `- ${slug}`).join('\n'),
  ];
  return {
    ok: true,
    text: text.filter((part) => part !== '').join('\n\n'),
    data: { topic: topic.id, available, learned },
  };
}

export const HOW_TO_LEARN = 'Use the `learn` tool with the `subjects` argument to learn specific subjects.';

interface ListedSubject {
  readonly slug: string;
  readonly description?: string;
  readonly [key: string]: string;
}

function listed(files: SubjectFiles, subject: Subject): ListedSubject {
  const description = skillDescription(files, subject);
  return description ? { slug: subject.slug, description } : { slug: subject.slug };
}

function bullet({ slug, description }: ListedSubject): string {
  return description ? `- ${slug}: ${description}` : `- ${slug}`;
}

const FRONT_MATTER_BYTES = 16_384;
const MAX_DESCRIPTION_CHARACTERS = 1024;

/** One inert line; undefined for a subject that is not a skill, or a skill without a description. */
function skillDescription(files: SubjectFiles, subject: SubjectFile): string | undefined {
  if (!subject.isSkill) return undefined;
  const read = readSubjectText(files, subject.path, FRONT_MATTER_BYTES);
  const description = read.ok ? parseFrontMatter(read.text)?.fields.description : undefined;
  if (!description) return undefined;
  return inertLine([...description].slice(0, MAX_DESCRIPTION_CHARACTERS).join('')) || undefined;
}
