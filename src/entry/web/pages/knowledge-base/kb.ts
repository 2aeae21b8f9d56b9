import { Fault } from '../../../../base/fault.ts';
import { counted, estimateTokens } from '../../../../base/text.ts';
import { checkTopics } from '../../../../domain/knowledge-base/check-topics.ts';
import { knowledgeSection } from '../../../../domain/knowledge-base/knowledge-section.ts';
import { describeTopics, openTopic } from '../../../../domain/knowledge-base/open-topics.ts';
import { describeTextProblem, readSubjectText } from '../../../../domain/knowledge-base/subject-text.ts';
import { offeredKnowledge, topicHeading } from '../../../../domain/knowledge-base/topic.ts';
import { formatCitation } from '../../../../domain/search/citations/citation.ts';
import { assistantKnowledge } from '../../../../domain/turns/assistant-knowledge.ts';
import { openKnowledge } from '../../../../domain/turns/tools/assistant-tools.ts';
import { page, type Visit, workspaceOf } from '../../page.ts';
import { languageOf } from '../../parts/code-pieces.ts';
import {
  address,
  badge,
  brokenPath,
  changeForm,
  citationAddress,
  copyButton,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
  shell,
} from '../../parts/html.ts';
import { codeBlock, markdown } from '../../parts/text.ts';

export const kbPage = page({
  path: '/kb',
  section: 'kb',
  title: () => 'Knowledge base',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const knowledge = offeredKnowledge(app);
    const described = await describeTopics(app, knowledge);
    const findings = await checkTopics(app, knowledge);
    const topics = described.map(({ topic, problem, subjects }) => ({
      id: topic.id,
      title: topicHeading(topic),
      introduction: topic.introduction ?? null,
      enabled: topic.enabled,
      isShipped: topic.isShipped ?? false,
      directory: topic.directory,
      problem: problem ?? null,
      tokens: subjects.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      subjects: subjects.map(({ slug, tokens, hidden: isHidden, state }) => ({
        slug,
        tokens: tokens ?? null,
        hidden: isHidden,
        state,
      })),
    }));
    return { topics, findings };
  },
  view: ({ topics, findings }, visit) => html`
    <div class="top"><h1>Knowledge base</h1><a class="button" href="/kb/prompt">What the assistant sees</a></div>
    ${
      topics.length === 0
        ? emptyState(
            'There are no topics yet.',
            visit.place.isOfTeam
              ? html`Share one with ${shell('ken team push --topic project')}.`
              : html`A topic is a directory of Markdown files that your assistant reads one by one. Make one with ${shell('ken kb new project')}; its subjects are then written here.`,
          )
        : topics.map((topic) => topicView(topic, visit))
    }
    ${findingsView(findings)}`,
});

interface ShownTopic {
  readonly id: string;
  readonly title: string;
  readonly introduction: string | null;
  readonly enabled: boolean;
  readonly isShipped: boolean;
  readonly directory: string;
  readonly problem: string | null;
  readonly tokens: number;
  readonly subjects: readonly {
    readonly slug: string;
    readonly tokens: number | null;
    readonly hidden: boolean;
    readonly state: string;
  }[];
}

function topicView(topic: ShownTopic, visit: Visit): Html {
  const { id, title, introduction, subjects } = topic;
  return html`<section class="stack" aria-labelledby="topic-${id}">
    <div class="top"><div><h2 id="topic-${id}">${title}</h2><p class="quiet">${introduction ?? ''}</p></div>
      <p class="row small quiet"><span class="mono">${topic.directory}</span>
        <span>${numeral(subjects.length)} subjects, about ${numeral(topic.tokens)} tokens</span>
        ${topic.enabled ? NOTHING : badge('off')} ${topic.problem === null ? NOTHING : badge(topic.problem, 'alert')}</p>
    </div>
    ${
      subjects.length === 0
        ? emptyState(
            'This topic has no subjects.',
            html`Add a file to ${shell(topic.directory)}, or write one below.`,
          )
        : subjects.length > MOST_LISTED
          ? foldersView(id, subjects)
          : subjectsView(id, subjects)
    }
    ${visit.canChange && !topic.isShipped ? html`<p><a class="button" href="${address('/kb/edit', { topic: id })}">New subject</a></p>` : NOTHING}
  </section>`;
}

/** More subjects than these are listed by their directories. */
const MOST_LISTED = 60;

function subjectsView(topic: string, subjects: ShownTopic['subjects']): Html {
  return html`<ul class="list" data-items>${subjects.map(
    ({ slug, tokens, hidden: isHidden, state }) => html`<li class="line">
      <a class="name" href="${address('/kb/subject', { topic, slug })}">${slug}</a>
      <span class="row small quiet">${tokens === null ? badge('unreadable', 'alert') : html`${numeral(tokens)} tokens`}
        ${isHidden ? badge('hidden') : NOTHING} ${state === 'available' ? NOTHING : badge(state, 'accent')}</span>
    </li>`,
  )}</ul>`;
}

function foldersView(topic: string, subjects: ShownTopic['subjects']): Html {
  const folders = Map.groupBy(subjects, ({ slug }) => slug.slice(0, slug.lastIndexOf('/') + 1));
  return html`<div class="stack folders">${[...folders].map(([folder, inside]) => {
    if (folder === '') return subjectsView(topic, inside);
    const price = inside.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
    return html`<details><summary>${folder} <span class="small quiet">${counted(inside.length, 'subject')}, about ${numeral(price)} tokens</span></summary>
      ${subjectsView(topic, inside)}</details>`;
  })}</div>`;
}

function findingsView(findings: Awaited<ReturnType<typeof checkTopics>>): Html {
  if (findings.length === 0) return NOTHING;
  return html`<section class="stack" aria-labelledby="findings"><h2 id="findings">Worth a look</h2><ul class="list">
    ${findings.map(
      ({ topic, slug, message }) =>
        html`<li><span>${slug === undefined ? topic : html`<a href="${address('/kb/subject', { topic, slug })}">${topic}/${slug}</a>`}</span>
          <span class="small quiet">${message}</span></li>`,
    )}
  </ul></section>`;
}

/** A larger file is shown up to here. */
const MOST_BYTES = 1_000_000;

export const subjectPage = page({
  path: '/kb/subject',
  section: 'kb',
  title: ({ slug }) => slug,
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const [topicId, slug] = [visit.query.get('topic') ?? '', visit.query.get('slug') ?? ''];
    const knowledge = offeredKnowledge(app);
    const topic = knowledge.topics.find(({ id }) => id === topicId);
    if (!topic) throw new Fault('kb/unknown-topic', `There is no topic "${topicId}".`);
    const { files, catalog } = await openTopic(app, topic);
    const subject = catalog.subjects.find((each) => each.slug === slug);
    if (!subject) throw new Fault('kb/no-match', `The topic has no subject "${slug}".`);
    const read = readSubjectText(files, subject.path, MOST_BYTES);
    if (!read.ok) throw new Fault('kb/unreadable', `${subject.path}: ${describeTextProblem(read)}.`);
    const findings = (await checkTopics(app, { ...knowledge, topics: [topic] })).filter(
      (each) => each.slug === slug,
    );
    return {
      topic: topic.id,
      slug,
      path: `${topic.directory}/${subject.path}`,
      isShipped: topic.isShipped ?? false,
      state: subject.state,
      hidden: subject.hidden,
      tokens: estimateTokens({ bytes: read.sizeBytes }),
      text: read.text,
      uri: formatCitation({ kind: 'subject', topic: topic.id, slug }),
      findings: findings.map(({ message }) => message),
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/kb">Knowledge base</a> / ${data.topic}</p><h1>${data.slug}</h1></div>
      <span class="row">
        ${visit.canChange && !data.isShipped ? html`<a class="button main" href="${address('/kb/edit', { topic: data.topic, slug: data.slug })}">Edit</a>` : NOTHING}
        <a class="button" href="${citationAddress(data.uri)}">With line numbers</a></span></div>
    ${data.findings.map((message) => html`<div class="notice problem"><p>${message}</p></div>`)}
    <div class="beside">
      ${subjectText(data.path, data.text)}
      <aside class="stack" aria-label="About this subject">${facts([
        { name: 'File', value: html`<code>${brokenPath(data.path)}</code>` },
        { name: 'Price', value: `about ${numeral(data.tokens)} tokens` },
        { name: 'State', value: data.state === 'learned' ? 'in every system prompt' : data.state },
        { name: 'Listed', value: data.hidden ? 'no, hidden' : 'yes' },
        { name: 'Citation', value: html`<code>${brokenPath(data.uri)}</code> ${copyButton(data.uri)}` },
      ])}
      ${data.isShipped ? NOTHING : subjectForms(data, visit)}</aside>
    </div>`,
});

/** Markdown and plain text as prose, everything else as code. */
export function subjectText(path: string, text: string): Html {
  return /\.(?:md|markdown|txt)$|(?:^|\/)[^./]+$/i.test(path)
    ? markdown(text)
    : codeBlock(text, languageOf(path));
}

function subjectForms(
  { topic, slug }: { readonly topic: string; readonly slug: string },
  visit: Visit,
): Html {
  const name = `${topic}/${slug}`;
  const named = html`${hidden('name', name)}${hidden('back', address('/kb/subject', { topic, slug }))}`;
  return html`${changeForm(
    visit,
    '/kb/rename',
    html`${named}<label>Topic and name <input name="to" value="${name}" required autocomplete="off"></label><div><button>Rename</button></div>`,
    'stack',
  )}
  ${changeForm(visit, '/kb/remove', html`${named}<button class="danger">Remove</button>`)}`;
}

export const promptPage = page({
  path: '/kb/prompt',
  section: 'kb',
  title: () => 'What the assistant sees',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const { preloaded } = await openKnowledge(app, assistantKnowledge(app));
    const text = knowledgeSection(preloaded) ?? '';
    return { text, tokens: estimateTokens(text) };
  },
  view: ({ text, tokens }) => html`
    <div class="top"><div><p class="quiet"><a href="/kb">Knowledge base</a></p><h1>What the assistant sees</h1></div>
      <p class="quiet">about ${numeral(tokens)} tokens in every turn</p></div>
    ${text === '' ? emptyState('The assistant sees no knowledge base.', html`It sees a list of the <a href="/kb">topics</a>, once there are some.`) : html`<pre class="request" tabindex="0">${text}</pre>`}`,
});
