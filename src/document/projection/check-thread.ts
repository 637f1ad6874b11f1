// The thread that looks at the packs of the history: that takes a while when there are many.
import { parentPort, workerData } from 'node:worker_threads';
import { damageIn } from '../../kit/git/damaged-packs.ts';

parentPort!.postMessage(damageIn(String(workerData)));
