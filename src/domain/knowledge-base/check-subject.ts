/** What is wrong with one subject. */

import { visible } from '../../base/text.ts';
import type { Subject } from './catalog.ts';
import { type FindingKind, finding, type TopicFinding } from './finding.ts';
import { parseFrontMatter } from './front-matter.ts';
import { deadMentions, type SlugsByTopic } from './mentions.ts';
import type { OpenTopic } from './open-topics.ts';
import { describeTextProblem, readSubjectText } from './subject-text.ts';

interface Against {
  readonly slugs: SlugsByTopic;
  readonly maxBytes: number;
}

export function checkSubject(
  { topic, files }: OpenTopic,
  subject: Subject,
  against: Against,
): TopicFinding[] {
  const found = (kind: FindingKind, message: string) => finding(topic, kind, message, subject.slug);
  const read = readSubjectText(files, subject.path, against.maxBytes);
  if (!read.ok) return [found(read.problem, describeTextProblem(read.problem))];
  const findings: TopicFinding[] = [];
  if (read.sizeBytes > read.shownBytes) {
    findings.push(found('oversize', `it has ${read.sizeBytes} bytes, and only ${read.shownBytes} are shown`));
  }
  const [invisible] = INVISIBLE.exec(read.text) ?? [];
  if (invisible)
    findings.push(found('invisible-text', `it holds text that a reader cannot see (${visible(invisible)})`));
  if (subject.isSkill) findings.push(...skillProblems(read.text).map((problem) => found('skill', problem)));
  for (const slug of deadMentions(read.text, topic.id, against.slugs)) {
    findings.push(found('unknown-subject', `it mentions the subject "${slug}", which cannot be learned`));
  }
  return findings;
}

/** Bidirectional controls and tag characters (flags apart): what hides text from people and not from models. */
const INVISIBLE =
  /[\u202a-\u202e\u2066-\u2069]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]{0,6})[\u{e0000}-\u{e007f}]/u;

function skillProblems(text: string): string[] {
  const fields = parseFrontMatter(text)?.fields;
  if (!fields) return ['it is a SKILL.md without front matter'];
  return ['name', 'description']
    .filter((field) => !fields[field])
    .map((field) => `it is a SKILL.md without a ${field}`);
}
