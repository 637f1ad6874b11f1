// The thread that writes to the database. It alone commits, so that the server itself never waits for the disk.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { GroupCommit } from './group-commit.ts';
import { NumberedTexts } from './numbered-statements.ts';
import type { NumberedStatement, ToWriter, Transaction } from './writer-messages.ts';

/** A commit is shared by no more than this, unless one transaction has more by itself. */
const MAX_STATEMENTS = 500;

const port = parentPort!;
const commits = new GroupCommit(workerData as string);
const texts = new NumberedTexts();
const queue: Transaction[] = [];
/** The parts of large transactions that have arrived, by the ids of the transactions. */
const parts = new Map<number, Uint8Array<ArrayBuffer>[]>();
let isLogHeld = false;
let isClosing = false;

port.on('message', (first: ToWriter) => {
  receive(first);
  receiveOthers();
  while (queue.length > 0) {
    for (const answer of commits.commit(nextGroup())) port.postMessage(answer);
    if (!isLogHeld) commits.checkpoint();
    receiveOthers();
  }
  if (!isClosing) return;
  commits.close();
  port.close();
});

/** Messages that arrived during a commit share the next one. */
function receiveOthers(): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) receive(next.message as ToWriter);
}

function receive(message: ToWriter): void {
  if ('transaction' in message) queue.push(whole(message.transaction));
  else if ('text' in message) texts.add(message.text);
  else if ('part' in message) parts.getOrInsertComputed(message.id, () => []).push(message.part);
  else if ('isLogHeld' in message) isLogHeld = message.isLogHeld;
  else isClosing = true;
}

function whole({ statements, ...transaction }: Transaction<NumberedStatement>): Transaction {
  const decoded = { ...transaction, statements: statements.map((one) => texts.decode(one)) };
  const ofIt = parts.get(transaction.id);
  if (!ofIt) return decoded;
  parts.delete(transaction.id);
  return { ...decoded, parts: ofIt };
}

/** A large transaction has its commit for itself: those queued before it do not wait for its end. */
function nextGroup(): Transaction[] {
  const group: Transaction[] = [];
  let statements = 0;
  do {
    const next = queue.shift()!;
    group.push(next);
    statements += sizeOf(next);
  } while (queue[0] && statements + sizeOf(queue[0]) <= MAX_STATEMENTS);
  return group;
}

function sizeOf({ parts: ofIt, statements }: Transaction): number {
  return ofIt ? Number.POSITIVE_INFINITY : statements.length;
}
