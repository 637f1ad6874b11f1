// Loaded into a server before anything else: the thread that writes to the database ends right after a commit, without an answer, once
// there is a file called `lose-writer` in the data directory.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { isMainThread, workerData } from 'node:worker_threads';

if (!isMainThread && typeof workerData === 'string' && workerData.endsWith('slipway.db')) {
  const sign = join(dirname(workerData), 'lose-writer');
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function (this: StatementSync, ...parameters: Parameters<typeof run>) {
    const result = run.apply(this, parameters);
    if (this.sourceSQL === 'COMMIT' && existsSync(sign)) process.exit(1); // of this thread only
    return result;
  } as typeof run;
}
