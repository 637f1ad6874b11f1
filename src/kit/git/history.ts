// The git repository of a history: all that code outside of this folder may use. One HistoryRepository writes; any number of HistoryReaders read.
export { GitProgram } from './git-program.ts';
export { HistoryReader, type OpenPackFile } from './history-reader.ts';
export { type CommittedFile, type FileRevision, HistoryRepository } from './repository.ts';
export { UnreadableRequest, uploadPack } from './upload-pack.ts';
