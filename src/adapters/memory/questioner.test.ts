import { itAsksQuestions } from '../../domain/tools/questioner.contract.ts';
import { scriptedQuestioner } from './questioner.ts';

itAsksQuestions('scripted', (said) => (said === undefined ? scriptedQuestioner() : scriptedQuestioner(said)));
