import {
  type FileEntry,
  type FileTree,
  itFollowsLinksInTopics,
  itReadsTopicFiles,
} from '../../src/domain/knowledge-base/subject-files.contract.ts';
import { type MemoryEntry, topicFilesInMemory } from './subject-files.ts';

const isKept = (named: [string, FileEntry]): named is [string, MemoryEntry] =>
  !(typeof named[1] === 'object' && 'directory' in named[1]);

const inMemory = (tree: FileTree) =>
  topicFilesInMemory(Object.fromEntries(Object.entries(tree).filter(isKept)));

itReadsTopicFiles('in memory', inMemory);
itFollowsLinksInTopics('in memory', inMemory);
