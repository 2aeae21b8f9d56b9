import { itAsksQuestions } from '../../src/domain/tools/questioner.contract.ts';
import { scriptedQuestioner } from './approvers.ts';

itAsksQuestions('scripted', (said) => (said === undefined ? scriptedQuestioner() : scriptedQuestioner(said)));
