import type { Json } from '../../base/json.ts';
import { accumulatedList, flag, integer, map, requiredText, table, text } from './build-node.ts';
import { atMost, isPlainPath, unlessSwitchedOff } from './effects.ts';
import { NAME } from './names.ts';
import type { Effect } from './node.ts';

const topic = table(
  'A topic: a directory of text files, its subjects.',
  {
    enable: flag('Set false to leave the topic out.', {
      default: true,
      effect: 'weakens',
      narrows: unlessSwitchedOff,
    }),
    title: text('Shown to the assistant in place of the id.', { effect: ofMenuText }),
    introduction: text('One sentence for the menu in the system prompt.', { effect: ofMenuText }),
    description: text('Shown with the list of subjects, and above preloaded ones.'),
    subjects: requiredText('Directory of the subject files, relative to the workspace.', {
      problem: outsideWorkspace,
      effect: (path) => (isPlainPath(path) ? 'harmless' : 'reads'),
    }),
    follow_symlinks: flag('Follow links that leave the topic directory.', {
      default: false,
      effect: 'reads',
      narrows: (value) => value === false,
    }),
    gitignore: flag('Leave out hidden files and what .gitignore names; for a topic over a repository.', {
      default: false,
    }),
    learned: accumulatedList(
      'Subjects to put into the system prompt: slugs or globs.',
      text('A slug or a glob.'),
    ),
    disabled: accumulatedList('Subjects nobody can learn: slugs or globs.', text('A slug or a glob.')),
  },
  { required: ['subjects'], effect: 'harmless' },
);

export const kb = table('The knowledge base.', {
  topic: map('Topics by id.', NAME, topic),
  personal: flag('Offer the topics of your personal workspace in every workspace.', {
    default: false,
    by: 'user',
    effect: 'reads',
  }),
  max_subject_bytes: integer('A longer subject is cut, and says so.', {
    default: 262_144,
    min: 1,
    effect: 'costs',
    narrows: atMost,
  }),
  preload_budget_tokens: integer('Preloading stops before this many estimated tokens; 0 means no limit.', {
    default: 0,
    effect: 'costs',
    narrows: (value, below) => value !== 0 && (below === 0 || atMost(value, below)),
  }),
});

/** Characters that a topic may put into every system prompt without being trusted. */
const MENU_TEXT = 200;

function ofMenuText(text: Json): Effect {
  return typeof text === 'string' && text.length <= MENU_TEXT ? 'harmless' : 'instructs';
}

/** The path must be relative and must not contain `..`. */
function outsideWorkspace(path: string): string | undefined {
  if (path === '') return 'is empty';
  const climbs = path.split('/').includes('..');
  return path.startsWith('/') || climbs || path.includes('\0') ? 'must stay inside the workspace' : undefined;
}
