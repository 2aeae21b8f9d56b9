import type { Row } from '../row.ts';

const NODE = 'node -e 0';

export const rows: readonly Row[] = [
  {
    name: 'version',
    subject: 'ken --version',
    floor: NODE,
    bar: 1.3,
    prepare: ({ ken, node }) => ({ subject: ken(['--version']), floor: node(['-e', '0']) }),
  },
  {
    name: 'help',
    subject: 'ken --help',
    floor: NODE,
    prepare: ({ ken, node }) => ({ subject: ken(['--help']), floor: node(['-e', '0']) }),
  },
  {
    name: 'unknown-command',
    subject: 'ken serch',
    floor: NODE,
    prepare: ({ ken, node }) => ({ subject: ken(['serch'], { code: 2 }), floor: node(['-e', '0']) }),
  },
  {
    name: 'completion',
    subject: 'ken complete -- config s',
    floor: NODE,
    prepare: ({ ken, node }) => ({
      subject: ken(['complete', '--', 'config', 's']),
      floor: node(['-e', '0']),
    }),
  },
];
