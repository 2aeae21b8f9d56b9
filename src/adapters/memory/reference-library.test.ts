import { itKeepsReferenceTopics } from '../../domain/references/library.contract.ts';
import { memoryReferenceLibrary } from './reference-library.ts';

itKeepsReferenceTopics('Memory', memoryReferenceLibrary);
