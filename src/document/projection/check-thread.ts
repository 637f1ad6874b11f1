// The thread that checks the packs of the history, which takes long when there are many.
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryReader } from '../../kit/git/history.ts';

parentPort!.postMessage(new HistoryReader(String(workerData)).findDamage());
