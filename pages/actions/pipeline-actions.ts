// The actions on a pipeline that need no further question. Their outcome is shown in a message.
import { runAction } from '../kit/messages.tsx';
import { runPipeline, unlockPipeline, unpausePipeline } from './pipeline-requests.ts';

/** The pipelines whose run is being requested. */
const starting = new Set<string>();

/** A second click before the answer is no wish for a second run, which would be refused. */
export function runNow(name: string): void {
  if (starting.has(name)) return;
  starting.add(name);
  void runAction(() => runPipeline(name), `${name} will run.`).then(() => starting.delete(name));
}

export function unpause(name: string): void {
  void runAction(() => unpausePipeline(name), `${name} is unpaused.`);
}

export function unlock(name: string): void {
  void runAction(() => unlockPipeline(name), `${name} is unlocked.`);
}
