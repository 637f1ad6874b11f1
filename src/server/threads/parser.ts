// A thread that reads the files of config repos.
import { parentPort } from 'node:worker_threads';
import { serveParsers } from '../../config-repos/parsing/thread.ts';
import { fileParsers } from '../../formats/file-parsers.ts';
import { lowerThreadPriority } from '../../kit/process/low-priority.ts';

const STEPS_BACK = 10;

// Requests to the server come first.
lowerThreadPriority(STEPS_BACK);
serveParsers(parentPort!, fileParsers);
