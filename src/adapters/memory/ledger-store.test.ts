import { itKeepsALedger } from '../../domain/ledger/store.contract.ts';
import { memoryLedger } from './ledger-store.ts';

itKeepsALedger('memory', async () => memoryLedger());
