// The message about a pipeline whose name is taken by another one. Pure.
import { OWN_SOURCE } from './source-label.ts';

export interface DefinitionSource {
  readonly repo: string;
  readonly file: string;
  /** A label that shows people where the definitions of the repo come from. */
  readonly source: string;
}

/** `other`: where it is defined already; undefined: in the server's own configuration. */
export function takenName(
  name: string,
  other: DefinitionSource | undefined,
  here: DefinitionSource,
): { readonly message: string; readonly hint?: string } {
  const isSameRepo = other?.repo === here.repo;
  const messageFor = (sources: readonly string[]) =>
    `You have defined multiple pipelines named '${name}'. Pipeline names must be unique. Source(s): [${sources.join(', ')}]`;
  if (!other || (isSameRepo && other.file === here.file)) return { message: messageFor([other?.source ?? OWN_SOURCE, here.source]) };
  if (!isSameRepo) {
    return { message: messageFor([other.source, here.source]), hint: instead(`${other.file} of the config repo '${other.repo}'`) };
  }
  // Within one repo only the files distinguish the two.
  return { message: messageFor([other, here].map(({ source, file }) => `${source} (${file})`)), hint: instead(other.file) };
}

function instead(source: string): string {
  return `Rename the pipeline here, or remove it from ${source}.`;
}
