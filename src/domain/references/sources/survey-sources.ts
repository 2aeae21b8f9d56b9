import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import type { RequestedSource, TopicRequest } from '../lifecycle/topic-request.ts';
import { checkRef, parseGitAddress } from './git-address.ts';
import type { GitReader, GitSurvey } from './git-reader.ts';
import { checkPaths } from './match-paths.ts';

export interface Survey {
  readonly summary: string;
  /** Sources that could not be reached, and paths that match nothing. */
  readonly warnings: readonly string[];
}

type GitRequest = Extract<RequestedSource, { type: 'git' }>;

/** Throws a Fault when no source can be reached. */
export async function surveySources(
  ports: { readonly gitReader: GitReader },
  request: TopicRequest,
  signal: AbortSignal,
): Promise<Survey> {
  const repositories = request.sources.filter((source) => source.type === 'git');
  const pages = request.sources.length - repositories.length;
  const surveyed = await Promise.all(
    repositories.map((source) => surveyOne(ports.gitReader, source, request, signal)),
  );
  const [failure] = surveyed.flatMap(({ fault }) => fault ?? []);
  if (failure && pages === 0 && surveyed.every(({ fault }) => fault)) throw failure;
  if (pages === 0 && surveyed.every(({ files }) => files === 0)) throw nothingToFetch(surveyed);
  const parts = [...surveyed.map(({ text }) => text), ...(pages > 0 ? [counted(pages, 'web page')] : [])];
  return {
    summary: [`Sources: ${parts.join(' + ')}`, ...request.sources.map(addressLine)].join('\n'),
    warnings: surveyed.flatMap(({ warnings }) => warnings),
  };
}

/** The survey of a request that nobody allowed yet: nothing is looked at. Throws a Fault for what cannot be meant. */
export function unsurveyed(request: TopicRequest): Survey {
  const repositories = request.sources.filter((source) => source.type === 'git');
  for (const { url, isTyped, ref, paths } of repositories) {
    parseGitAddress(url, { isTyped: isTyped === true });
    if (ref !== undefined) checkRef(ref);
    checkPaths(paths);
  }
  const pages = request.sources.length - repositories.length;
  const names = repositories.map(({ url }) => `${repositoryName(url)} (${SIZE_UNKNOWN})`);
  const parts = [...names, ...(pages > 0 ? [counted(pages, 'web page')] : [])];
  return {
    summary: [`Sources: ${parts.join(' + ')}`, ...request.sources.map(addressLine)].join('\n'),
    warnings: [],
  };
}

const SIZE_UNKNOWN = 'size unknown until you allow the survey';

interface Surveyed {
  readonly text: string;
  readonly warnings: readonly string[];
  /** Undefined for a source that could not be reached. */
  readonly files?: number;
  readonly fault?: Fault;
}

function nothingToFetch(surveyed: readonly Surveyed[]): Fault {
  const why = surveyed.flatMap(({ warnings }) => warnings);
  return new Fault(
    'references/failed',
    `Nothing would be fetched${why.length > 0 ? `: ${why.join('; ')}` : ''}.`,
    { hint: 'Check the paths, and that the sources have text in them.' },
  );
}

async function surveyOne(
  git: GitReader,
  source: GitRequest,
  request: TopicRequest,
  signal: AbortSignal,
): Promise<Surveyed> {
  try {
    const survey = await git.survey(source, signal);
    const warnings = survey.unmatchedPaths.map((path) => `${source.url}: nothing matches the path ${path}`);
    const missing =
      survey.unmatchedPaths.length > 0 ? `; nothing matches ${survey.unmatchedPaths.join(', ')}` : '';
    const text = `${repositoryName(source.url)} (${amountOf(survey, source, request)}${missing})`;
    return { text, warnings, files: survey.files };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    const problem = error.message.replace(/\.$/, '');
    return { text: `${repositoryName(source.url)} (not reached)`, warnings: [problem], fault: error };
  }
}

function amountOf(
  { files, bytes, languages }: GitSurvey,
  source: GitRequest,
  { limits }: TopicRequest,
): string {
  const size =
    bytes === undefined ? `bytes unknown, capped at ${megabytes(limits.maxBytes)}` : `~${megabytes(bytes)}`;
  const spoken = languages.slice(0, 3).map(({ name }) => name);
  const filtered = source.paths.length > 0 ? [`filtered from ${repositoryName(source.url)}`] : [];
  return [
    `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`,
    size,
    ...spoken,
    ...filtered,
  ].join(', ');
}

function megabytes(bytes: number): string {
  const amount = bytes / (1024 * 1024);
  if (amount >= 10) return `${Math.round(amount)} MiB`;
  return amount >= 0.1 ? `${amount.toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`;
}

/** `owner/name`, as far as the address has them. */
function repositoryName(url: string): string {
  const path = /^[^/]*@[^/:]+:(.*)$/.exec(url)?.[1] ?? URL.parse(url)?.pathname ?? url;
  return (
    path
      .split('/')
      .filter(Boolean)
      .slice(-2)
      .join('/')
      .replace(/\.git$/, '') || url
  );
}

/** The exact address, since a name can be chosen freely. */
function addressLine(source: RequestedSource): string {
  if (source.type === 'web') return `web ${source.url}`;
  const ref = source.ref === undefined ? '' : ` at ${source.ref}`;
  return `git ${source.url}${ref}${source.paths.length > 0 ? `, only ${source.paths.join(' ')}` : ''}`;
}
