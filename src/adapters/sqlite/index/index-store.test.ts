import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { itKeepsAnIndex } from '../../../domain/search/index/index-store.contract.ts';

itKeepsAnIndex('SQLite', indexInMemory);
