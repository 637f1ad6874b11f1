// Checks out one material of a job: the files of its revision are in its folder afterwards, no matter what an earlier build left there.
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { type CheckoutTarget, prepareTarget } from './destination.ts';
import { checkoutProblemOf } from './explain.ts';
import { checkOutGit } from './git/check-out.ts';
import { checkOutHg } from './hg.ts';
import { checkOutP4 } from './p4.ts';
import { CheckoutProblem } from './problem.ts';
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
    const target = await prepareTarget(material.destination, context);
    await checkOutByType(material, target, context);
  } catch (failure) {
    throw checkoutProblemOf(failure, material, context);
  }
}

async function checkOutByType(material: WorkMaterial, target: CheckoutTarget, context: CheckoutContext): Promise<void> {
  switch (material.type) {
    case 'git':
      return checkOutGit(material, target, context);
    case 'plugin':
      return checkOutGit({ ...material, shallow_clone: false, submodule_folder: null }, target, context);
    case 'svn':
      return checkOutSvn(material, target, context);
    case 'hg':
      return checkOutHg(material, target, context);
    case 'p4':
      return checkOutP4(material, target, context);
    case 'tfs':
      return checkOutTfs(material, target, context);
    default:
      throw unknownType(material);
  }
}

/** Only a server that is newer than this agent has one. */
function unknownType(material: never): CheckoutProblem {
  const { type, description }: WorkMaterial = material;
  return new CheckoutProblem(
    `This agent does not know materials of the type ${type}, such as ${description}: update the agent to the version of its server.`,
  );
}
