// The environment variables of a job that is run here, and which of them the server does not give.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentOf } from '../../../../builds/jobs/environment.ts';
import type { MaterialFacts } from '../../../../builds/jobs/materials/material-variables.ts';
import type { WorkVariable } from '../../../../contracts/agent-protocol/work.ts';
import { refersToSecret } from '../../../../shape/secrets/secret-reference.ts';
import type { GivenVariable } from '../schedule-order.ts';
import type { JobConfig, MaterialConfig, StageConfig, VariableAnswer } from './answers.ts';
import type { ResolvedPipeline } from './read-pipeline.ts';

/** The counter and the label of a run that the server does not know. */
const COUNTER = 0;
const LABEL = 'local';

export interface LocalRun {
  readonly serverUrl: string;
  readonly user: string;
  readonly given: readonly GivenVariable[];
  readonly materials: readonly MaterialFacts[];
}

export interface LocalVariables {
  readonly variables: readonly WorkVariable[];
  /** Variables that have a value only on agents. */
  readonly missing: readonly string[];
}

export function localVariables(resolved: ResolvedPipeline, stage: StageConfig, job: JobConfig, run: LocalRun): LocalVariables {
  const { pipeline, environment } = resolved;
  const configured = [pipeline, stage, job].flatMap((one) => one.environment_variables);
  const all = [...(environment?.environment_variables ?? []), ...configured];
  const hidden = new Set(all.filter(isHidden).map(({ name }) => name));
  const givenNames = new Set(run.given.map(({ name }) => name));
  const variables = environmentOf({
    serverUrl: run.serverUrl,
    group: pipeline.group,
    environment: environment ? { name: environment.name, variables: clear(environment.environment_variables) } : null,
    agentResources: [],
    approver: run.user,
    pipeline: pipeline.name,
    counter: COUNTER,
    label: LABEL,
    stage: stage.name,
    stageCounter: 1,
    rerunOfCounter: null,
    job: job.name,
    materials: run.materials,
    variables: clear(configured),
    instance: instanceOf(job),
    triggerVariables: [],
  });
  return {
    variables: [...variables, ...run.given.map(({ name, value }) => ({ name, value, is_secret: hidden.has(name) }))],
    missing: [...hidden].filter((name) => !givenNames.has(name) && isHidden(all.findLast((one) => one.name === name)!)),
  };
}

/** A job that is to run several times runs once here, as the first. */
function instanceOf({ run_instance_count: count }: JobConfig): { readonly index: number; readonly count: number } | null {
  return count === null || count === 'all' ? null : { index: 1, count: Number(count) };
}

function isHidden({ value }: VariableAnswer): boolean {
  return value === undefined || refersToSecret(value);
}

function clear(variables: readonly VariableAnswer[]): WorkVariable[] {
  return variables.flatMap((one) => (isHidden(one) ? [] : [{ name: one.name, value: one.value!, is_secret: false }]));
}

/** Of repositories whose files are here: the revision that is checked out. */
export async function localMaterials(materials: readonly MaterialConfig[], folder: string): Promise<MaterialFacts[]> {
  const facts = await Promise.all(materials.map((one) => localMaterial(one, folder)));
  return facts.filter((one) => one !== undefined);
}

async function localMaterial({ type, attributes }: MaterialConfig, folder: string): Promise<MaterialFacts | undefined> {
  const { name = null, destination = null, url = '', branch = null } = attributes;
  const directory = join(folder, destination ?? '');
  if (type !== 'git' || !existsSync(join(directory, '.git'))) return undefined;
  const revision = await checkedOut(directory);
  if (revision === undefined) return undefined;
  const typeVariables = { BRANCH: branch ?? '' };
  return { type: 'repository', isChanged: true, name, destination, fromRevision: revision, toRevision: revision, url, typeVariables };
}

/** Undefined: there is no commit yet, or git does not read it. */
async function checkedOut(folder: string): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: folder })).stdout.trim();
  } catch {
    return undefined;
  }
}
