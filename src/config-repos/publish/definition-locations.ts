// The file and the first line of each definition of a config repo that is in force.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { StoredFile } from '../../store/config-repos/files.ts';
import type { Outline } from '../parsing/packed.ts';
import { definitionsOfKind } from './withdraw.ts';

export interface DefinitionLocation {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** null: the file has changed since, and that is not in force. */
  readonly line: number | null;
}

export interface DefinitionLocations {
  /** The revision that is in force; null: none. */
  readonly revision: string | null;
  readonly pipelines: readonly DefinitionLocation[];
  readonly environments: readonly DefinitionLocation[];
}

/** The files of a repo as they were read last: all, or those of these paths. */
export type FilesOf = (repo: string, paths: readonly string[] | undefined) => Promise<readonly StoredFile[]>;

type DefinitionInFile = Pick<DefinitionLocation, 'name' | 'file'>;

/** Where definitions stand, in the order of files and lines; `pipeline`: only where this one stands. */
export async function definitionLocations(config: Config, repo: string, filesOf: FilesOf, pipeline?: string): Promise<DefinitionLocations> {
  const draft = new Draft(config);
  const ofKind = <K extends KindName>(kindName: K, name: (entity: EntityNamed<K>) => string): DefinitionInFile[] =>
    definitionsOfKind(draft, repo, kindName).flatMap((entity) => {
      const origin = repoOriginOf(entity);
      return origin ? [{ name: name(entity), file: origin.file }] : [];
    });
  const isWanted = ({ name }: DefinitionInFile): boolean => pipeline === undefined || name.toLowerCase() === pipeline.toLowerCase();
  const pipelines = ofKind('pipelines', ({ name }) => name).filter(isWanted);
  const environments = pipeline === undefined ? ofKind('environmentParts', ({ environment }) => environment) : [];
  const paths = pipeline === undefined ? undefined : [...new Set(pipelines.map(({ file }) => file))];
  const lines = await linesIn(await filesOf(repo, paths));
  const withLines = (kind: keyof Outline & ('pipelines' | 'environments'), found: readonly DefinitionInFile[]): DefinitionLocation[] =>
    found.map(({ name, file }) => ({ name, file, line: lines.get(keyOf(kind, file, name)) ?? null })).sort(byLocation);
  return {
    revision: config.of('publishedRevisions').find(repo)?.value.revision ?? null,
    pipelines: withLines('pipelines', pipelines),
    environments: withLines('environments', environments),
  };
}

async function linesIn(files: readonly StoredFile[]): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  for (const { path, outline, isInForce } of files) {
    if (!isInForce) continue;
    const { pipelines, environments } = JSON.parse(outline) as Outline;
    for (const { name, line } of pipelines) lines.set(keyOf('pipelines', path, name), line);
    for (const { name, line } of environments) lines.set(keyOf('environments', path, name), line);
    // There may be thousands.
    const wait = pause();
    if (wait) await wait;
  }
  return lines;
}

function keyOf(kind: keyof Outline, file: string, name: string): string {
  return JSON.stringify([kind, file, name.toLowerCase()]);
}

function byLocation(one: DefinitionLocation, other: DefinitionLocation): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}
