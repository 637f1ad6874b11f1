// The thread that keeps the configuration document and its history.
import { parentPort, workerData } from 'node:worker_threads';
import { Follower } from '../../document/projection/follower.ts';
import type { ThreadSettings } from '../../document/projection/messages.ts';
import { serveFollower } from '../../document/projection/thread.ts';
import { HistoryRepository } from '../../kit/git/history.ts';
import { lowerThreadPriority } from '../../kit/process/low-priority.ts';
import { registry } from '../../resources/index.ts';
import { kindsOf } from '../../shape/resource.ts';
import { openChangeFeed } from '../../store/source.ts';
import { openHistoryIndex } from '../../store/sqlite/history-index.ts';

const STEPS_BACK = 5;

// Requests come first; the history may lag by moments.
lowerThreadPriority(STEPS_BACK);
const { database, index: indexPath, repository: path } = workerData as ThreadSettings;
const feed = await openChangeFeed(database);
const index = openHistoryIndex(indexPath);
const repository = new HistoryRepository(path);
const kinds = new Map(kindsOf(registry).map((kind) => [kind.name, kind]));
const follower = await Follower.open({ feed, index, repository, kinds });
serveFollower(parentPort!, follower, async () => {
  await feed.close();
  index.close();
});
