import { itKeepsALedger } from '../../domain/ledger/store.contract.ts';
import { itKeepsHistories } from '../../domain/ledger/store-histories.contract.ts';
import { itKeepsPromotions } from '../../domain/ledger/store-promotions.contract.ts';
import { itReadsALedger } from '../../domain/ledger/store-reads.contract.ts';
import { memoryLedger } from './ledger-store.ts';

itKeepsALedger('memory', async () => memoryLedger());
itReadsALedger('memory', async () => memoryLedger());
itKeepsHistories('memory', async () => memoryLedger());
itKeepsPromotions('memory', async () => memoryLedger());
