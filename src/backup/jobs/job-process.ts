// The process in which one piece of the heavy work of a backup is done: the server goes on beside it, and before it.
import { lowerPriority } from '../../kit/process/low-priority.ts';
import type { FromJob, ToJob } from './messages.ts';
import type { Progress } from './progress.ts';

const REPORT_EVERY_MS = 100;
/** How far it stands behind the server when both want the processor. */
const STEPS_BEHIND = 10;
// Meant for this process, not for its children.
delete process.env.NODE_COMPILE_CACHE;

// The server has ended or does not want this any more.
process.once('disconnect', () => process.exit(1));

process.once('message', (message: ToJob) => {
  // The priority of the administrator's own script is up to the administrator.
  if (message.job !== 'script') lowerPriority(STEPS_BEHIND);
  const { report, flush } = reporter();
  work(message, report).then(
    (result) => {
      flush();
      sendLast({ result });
    },
    (failure: unknown) => sendLast({ failure: failure instanceof Error ? failure.message : String(failure) }),
  );
});

/** Loads only the needed module: that is a good part of the time of a small backup. */
async function work(message: ToJob, report: (progress: Progress) => void): Promise<unknown> {
  switch (message.job) {
    case 'write':
      return (await import('../write/write-backup.ts')).writeBackup(message.order, report);
    case 'verify':
      return (await import('../verify/verify-backup.ts')).verifyBackup(message.order, report);
    case 'script':
      return (await import('../script/run-script.ts')).runScript(message.order);
    case 'copy':
      return (await import('../copy/copy-folder.ts')).copyFolder(message.order, report);
  }
}

/** Bytes are counted together for a while; everything else is reported at once. */
function reporter() {
  let bytes = 0;
  let reportedAt = 0;
  const flush = () => {
    if (bytes > 0) send({ progress: { bytes } });
    bytes = 0;
    reportedAt = performance.now();
  };
  const report = (progress: Progress) => {
    const { bytes: more = 0, ...rest } = progress;
    bytes += more;
    const isMore = Object.keys(rest).length > 0;
    if (isMore || performance.now() - reportedAt > REPORT_EVERY_MS) flush();
    if (isMore) send({ progress: rest });
  };
  return { report, flush };
}

function send(message: FromJob, onSent: () => void = () => {}): void {
  process.send!(message, onSent);
}

function sendLast(message: FromJob): void {
  send(message, () => process.exit(0));
}
