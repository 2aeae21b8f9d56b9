import { itKeepsReferenceTopics } from '../../src/domain/references/topic/library.contract.ts';
import { memoryReferenceLibrary } from './reference-library.ts';

itKeepsReferenceTopics('Memory', memoryReferenceLibrary);
