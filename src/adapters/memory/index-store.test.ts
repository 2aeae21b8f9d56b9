import { itKeepsAnIndex } from '../../domain/search/index-store.contract.ts';
import { memoryIndexStore } from './index-store.ts';

itKeepsAnIndex('memory', memoryIndexStore);
