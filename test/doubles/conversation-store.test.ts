import { itKeepsConversations } from '../../src/domain/conversations/store.contract.ts';
import { memoryConversationStore } from './conversation-store.ts';

itKeepsConversations('memory', memoryConversationStore);
