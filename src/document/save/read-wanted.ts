// From an entity of a file to an entity of this server, with everything that is wrong with it.
import type { Draft } from '../../config/draft.ts';
import { type ReadingTools, readEntity } from '../../shape/json/entity-json.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import type { Entity, Kind, RuleView } from '../../shape/resource.ts';
import type { OpenSecret } from '../upgrade/imported-cipher.ts';
import { resealSecrets } from '../upgrade/reseal.ts';

export interface ReadingParts {
  readonly tools: ReadingTools;
  /** The problems that the plugin of an entity finds in its settings. */
  readonly pluginProblemsOf: (
    plugin: NonNullable<Kind['plugin']>,
    entity: Entity,
    ruleView: RuleView,
  ) => readonly Problem[] | Promise<readonly Problem[]>;
}

export interface WantedEntity {
  readonly entity: Entity;
  readonly problems: readonly Problem[];
}

const OWN_FORM = /^v[12]:/;

export async function readWanted(
  kind: Kind,
  json: JsonObject,
  current: Entity | undefined,
  draft: Draft,
  { tools, pluginProblemsOf }: ReadingParts,
  open: OpenSecret | undefined,
): Promise<WantedEntity> {
  const { ruleView } = draft;
  const resealed = resealSecrets(json, {
    open,
    openKnown: tools.openImported,
    encrypt: (plain) => tools.cipher.encrypt(plain),
    isOwn: (cipherText) => OWN_FORM.test(cipherText) && !tools.cipher.isOfOtherKey(cipherText),
  });
  const { entity, problems } = readEntity(kind, resealed.json, { ruleView, current, isSealed: true, mayMoveSecrets: true }, tools);
  const pluginProblems = kind.plugin ? await pluginProblemsOf(kind.plugin, entity, ruleView) : [];
  return { entity, problems: [...resealed.problems, ...problems, ...pluginProblems] };
}
