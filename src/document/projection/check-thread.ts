// The thread that looks at the packs of the history: that takes a while when there are many.
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryReader } from '../../kit/git/history.ts';

parentPort!.postMessage(new HistoryReader(String(workerData)).findDamage());
