import { itKeepsApprovals } from '../../domain/approvals/approval-store.contract.ts';
import { itKeepsJobs } from '../../domain/approvals/job-store.contract.ts';
import { itKeepsToolPins } from '../../domain/approvals/tool-pin-store.contract.ts';
import { itKeepsTrust } from '../../domain/approvals/trust-store.contract.ts';
import { memoryApprovalStore } from './approval-store.ts';
import { memoryJobStore } from './job-store.ts';
import { memoryToolPinStore } from './tool-pin-store.ts';
import { memoryTrustStore } from './trust-store.ts';

itKeepsApprovals('memory', async () => memoryApprovalStore());
itKeepsJobs('memory', async () => memoryJobStore());
itKeepsTrust('memory', async () => memoryTrustStore());
itKeepsToolPins('memory', async () => memoryToolPinStore());
