// Changes by others since the document that a file is based on: found by comparing that document with the current one.
import { nameOf } from '../../config/references.ts';
import { type Kind, keyOf } from '../../shape/resource.ts';
import type { ConfigFile, FileEntity } from './config-file.ts';
import type { FileRefused } from './refused.ts';

export interface ChangedByOthers {
  readonly kind: Kind;
  readonly id: string;
  readonly what: 'create' | 'change' | 'delete';
}

export function changedByOthers(base: ConfigFile, now: ConfigFile, kinds: ReadonlyMap<string, Kind>): ChangedByOthers[] {
  const [before, after] = [byName(base, kinds), byName(now, kinds)];
  const kindOf = ({ kind }: FileEntity) => kinds.get(kind)!;
  return [
    ...[...after]
      .filter(([name, { text }]) => before.get(name)?.text !== text)
      .map(([name, entity]) => ({
        kind: kindOf(entity),
        id: entity.id,
        what: before.has(name) ? ('change' as const) : ('create' as const),
      })),
    ...[...before]
      .filter(([name]) => !after.has(name))
      .map(([, entity]) => ({ kind: kindOf(entity), id: entity.id, what: 'delete' as const })),
  ];
}

function byName({ entities }: ConfigFile, kinds: ReadonlyMap<string, Kind>): Map<string, FileEntity> {
  const named = entities.flatMap((entity) => {
    const kind = kinds.get(entity.kind);
    return kind ? [[nameOf(kind, keyOf(kind, entity.id)), entity] as const] : [];
  });
  return new Map(named);
}

/** The changes that the findings are about: their entity has a finding, or a message names it. If there are none, any may be the cause. */
export function involvedIn({ findings }: Pick<FileRefused, 'findings'>, changed: readonly ChangedByOthers[]): readonly ChangedByOthers[] {
  const found = new Set(findings.map(({ kind, id }) => nameOf(kind, keyOf(kind, id))));
  const words = new Set(
    findings.flatMap(({ problems }) => problems.flatMap(({ message }) => (message.match(NAME) ?? []).map((word) => word.toLowerCase()))),
  );
  const involved = changed.filter(({ kind, id }) => found.has(nameOf(kind, keyOf(kind, id))) || words.has(id.toLowerCase()));
  return involved.length > 0 ? involved : changed;
}

/** A period at its end is that of a sentence. */
const NAME = /[\w.-]*[\w-]/g;
