// The life of the thread that keeps the document: works while there is something to record, answers in between.
import type { MessagePort } from 'node:worker_threads';
import type { Follower } from './follower.ts';
import type { FromThread, Question, ToThread } from './messages.ts';

/** Time for more revisions to come, so that they are recorded together: each batch leaves a pack behind that whoever checks the repository checks, too. */
const PAUSE_MS = 1000;

export function serveFollower(port: MessagePort, follower: Follower, close: () => void): void {
  /** Questions that wait until a revision is in the history. */
  let waiting: { readonly id: number; readonly atLeast: number }[] = [];
  let next: NodeJS.Timeout | undefined;
  let lastWorked = Number.NEGATIVE_INFINITY;
  let isStopping = false;
  const say = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

  const work = () => {
    next = undefined;
    if (isStopping) {
      try {
        follower.rest();
      } finally {
        close();
        port.close();
      }
      return;
    }
    const hasWorked = follower.work();
    lastWorked = performance.now();
    const recorded = follower.recordedRevision;
    for (const { id, atLeast } of waiting) if (atLeast <= recorded) say({ id, answer: undefined });
    waiting = waiting.filter(({ atLeast }) => atLeast > recorded);
    say({ recorded });
    if (hasWorked) wake();
  };

  const wake = () => {
    const isUrgent = isStopping || waiting.length > 0 || follower.hasBacklog;
    const pause = isUrgent ? 0 : lastWorked + PAUSE_MS - performance.now();
    if (next !== undefined && pause > 0) return;
    if (next !== undefined) clearTimeout(next);
    next = setTimeout(work, Math.max(pause, 0));
  };

  const answer = (id: number, question: Question) => {
    if (question.ask === 'recorded') {
      waiting.push({ id, atLeast: question.atLeast });
      wake();
    } else if (question.ask === 'rewrite') {
      follower.rewrite();
      say({ recorded: follower.recordedRevision });
      say({ id, answer: undefined });
      wake();
    } else {
      const document = follower.documentAt(question.atLeast);
      say({ id, answer: document }, [document.bytes.buffer]);
    }
  };

  port.on('message', (message: ToThread) => {
    if ('stop' in message) {
      isStopping = true;
      wake();
    } else if ('wake' in message) {
      wake();
    } else {
      try {
        answer(message.id, message.question);
      } catch (failure) {
        say({ id: message.id, failure: String(failure) });
      }
    }
  });
  wake();
}
