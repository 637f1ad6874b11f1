// Reads the variables and revisions given to `run`, in the form of the request to the server.
import { fetchJson } from '../../terminal/ask-server.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import { pipelinePath } from './paths.ts';

interface TriggerOptions {
  readonly materials: readonly { readonly name: string; readonly fingerprint: string; readonly folder?: string }[];
}

export interface GivenVariable {
  readonly name: string;
  readonly value: string;
}

/** `NAME=VALUE`; a value may have an equals sign. */
export function readVariables(given: readonly string[]): GivenVariable[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--variable must be NAME=VALUE, not '${text}'.`);
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
}

export interface GivenRevision {
  readonly material: string;
  readonly revision: string;
}

/** `MATERIAL=REVISION`; a name may have an equals sign. */
export function readRevisions(given: readonly string[]): GivenRevision[] {
  return given.map((text) => {
    const at = text.lastIndexOf('=');
    if (at < 1 || at === text.length - 1) throw new UsageError(`--revision must be MATERIAL=REVISION, not '${text}'.`);
    return { material: text.slice(0, at), revision: text.slice(at + 1) };
  });
}

/** Materials are named by their fingerprint, their name or their folder. */
export async function pinnedMaterials(server: RemoteServer, pipeline: string, given: readonly GivenRevision[]) {
  if (given.length === 0) return [];
  const { materials } = await fetchJson<TriggerOptions>(server, pipelinePath(pipeline, 'trigger_options'));
  return given.map(({ material, revision }) => {
    const wanted = material.toLowerCase();
    const found = materials.filter(({ name, fingerprint, folder }) =>
      [fingerprint, name, folder ?? ''].some((one) => one.toLowerCase() === wanted),
    );
    const [only] = found;
    if (only && found.length === 1) return { fingerprint: only.fingerprint, revision };
    const known = materials.map(({ name, fingerprint }) => `  ${fingerprint}  ${name}`).join('\n');
    const problem = only ? 'has several materials' : 'has no material';
    throw new CommandFailed(`The pipeline ${pipeline} ${problem} '${material}'. Its materials are:\n${known}`);
  });
}
