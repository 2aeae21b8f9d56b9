import { itKeepsApprovals } from '../../domain/approvals/approval-store.contract.ts';
import { memoryApprovalStore } from './approval-store.ts';

itKeepsApprovals('memory', async () => memoryApprovalStore());
