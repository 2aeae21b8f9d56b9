/** The checks of `ken doctor`. Each loads the code that it needs when it runs. */

import type { Check } from './check.ts';
import {
  checkCCompiler,
  checkClock,
  checkDirectories,
  checkDisk,
  checkGh,
  checkGit,
  checkNode,
  checkSandbox,
} from './machine-checks.ts';
import {
  checkApprovals,
  checkConversations,
  checkIndex,
  checkLedger,
  checkLock,
  checkPersonal,
  checkReferenceLibrary,
  checkRepairs,
} from './store-checks.ts';
import { checkServers, checkTools } from './tool-checks.ts';
import {
  checkConfig,
  checkEmbedder,
  checkKnowledgeBase,
  checkModel,
  checkTrust,
  checkWorkspace,
} from './workspace-checks.ts';

/** In the order of the report. */
export const CHECKS: readonly Check[] = [
  { id: 'node', title: 'Node', run: checkNode },
  { id: 'git', title: 'git', run: checkGit },
  { id: 'gh', title: 'gh', run: checkGh },
  { id: 'config', title: 'Config', run: checkConfig },
  { id: 'directories', title: 'Directories', run: checkDirectories },
  { id: 'workspace', title: 'Workspace', run: checkWorkspace },
  { id: 'disk', title: 'Disk', run: checkDisk },
  { id: 'clock', title: 'Clock', run: checkClock },
  { id: 'knowledge-base', title: 'Knowledge base', needs: 'workspace', run: checkKnowledgeBase },
  { id: 'tools', title: 'Tools', needs: 'workspace', run: checkTools },
  { id: 'servers', title: 'Servers', needs: 'config', run: checkServers },
  { id: 'sandbox', title: 'Sandbox', run: checkSandbox },
  { id: 'model', title: 'Model', needs: 'config', run: checkModel },
  { id: 'embedder', title: 'Embedder', needs: 'config', run: checkEmbedder },
  { id: 'c-compiler', title: 'C compiler', run: checkCCompiler },
  { id: 'index', title: 'Index', needs: 'workspace', run: checkIndex },
  { id: 'ledger', title: 'Ledger', needs: 'workspace', run: checkLedger },
  { id: 'references', title: 'References', needs: 'config', run: checkReferenceLibrary },
  { id: 'conversations', title: 'Conversations', needs: 'workspace', run: checkConversations },
  { id: 'personal', title: 'Personal workspace', run: checkPersonal },
  { id: 'repairs', title: 'Repairs', run: checkRepairs },
  { id: 'trust', title: 'Trust', needs: 'workspace', run: checkTrust },
  { id: 'approvals', title: 'Approvals', run: checkApprovals },
  { id: 'lock', title: 'Lock', run: checkLock },
];
