// The messages between the server and the processes that do the heavy work of a backup.
import type { CopyOrder, CopyResult } from '../copy/copy-folder.ts';
import type { ScriptOrder, ScriptResult } from '../script/run-script.ts';
import type { VerifyOrder, VerifyResult } from '../verify/verify-backup.ts';
import type { WriteOrder, WrittenFile } from '../write/write-backup.ts';
import type { Progress } from './progress.ts';

/** The order and the result of each kind of work. */
export interface Jobs {
  readonly write: { readonly order: WriteOrder; readonly result: WrittenFile };
  readonly verify: { readonly order: VerifyOrder; readonly result: VerifyResult };
  readonly script: { readonly order: ScriptOrder; readonly result: ScriptResult };
  readonly copy: { readonly order: CopyOrder; readonly result: CopyResult };
}
export type JobName = keyof Jobs;

export type ToJob = { readonly [Name in JobName]: { readonly job: Name; readonly order: Jobs[Name]['order'] } }[JobName];
export type FromJob = { readonly progress: Progress } | { readonly result: unknown } | { readonly failure: string };
