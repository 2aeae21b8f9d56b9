import { type FileEntry, itReadsTopicFiles } from '../../src/domain/knowledge-base/subject-files.contract.ts';
import { type MemoryEntry, topicFilesInMemory } from './subject-files.ts';

const isKept = (named: [string, FileEntry]): named is [string, MemoryEntry] =>
  !(typeof named[1] === 'object' && 'directory' in named[1]);

itReadsTopicFiles('in memory', (tree) =>
  topicFilesInMemory(Object.fromEntries(Object.entries(tree).filter(isKept))),
);
