// Checks out one material of a job: the files of its revision are in its folder afterwards, no matter what an earlier build left there.
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { type Place, placeFor } from './destination.ts';
import { explained } from './explain.ts';
import { checkOutGit } from './git/check-out.ts';
import { checkOutHg } from './hg.ts';
import { checkOutP4 } from './p4.ts';
import { checkOutSvn } from './svn.ts';
import { checkOutTfs } from './tfs.ts';
import type { ToolContext } from './tool.ts';

export interface CheckoutContext extends ToolContext {
  readonly pipelineFolder: string;
  /** For caches that outlive a build; no other job works in it at the same time. */
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  out(line: string): void;
  err(line: string): void;
  /** Destinations of the other materials of the job: their content does not belong to this one. */
  readonly otherDestinations?: readonly string[];
}

/** Rejects with a sentence that says what to do, without secrets. */
export async function checkOut(material: WorkMaterial, context: CheckoutContext): Promise<void> {
  try {
    const place = await placeFor(material.destination, context);
    await bring(material, place, context);
  } catch (failure) {
    throw explained(failure, material, context);
  }
}

async function bring(material: WorkMaterial, place: Place, context: CheckoutContext): Promise<void> {
  switch (material.type) {
    case 'git':
      return checkOutGit(material, place, context);
    case 'plugin':
      return checkOutGit({ ...material, shallow_clone: false, submodule_folder: null }, place, context);
    case 'svn':
      return checkOutSvn(material, place, context);
    case 'hg':
      return checkOutHg(material, place, context);
    case 'p4':
      return checkOutP4(material, place, context);
    case 'tfs':
      return checkOutTfs(material, place, context);
  }
}
