// Which pipelines use something, with the groups they are in.
import type { Config } from '../config/current.ts';
import { Draft } from '../config/draft.ts';
import type { KindName } from '../shape/configuration.ts';

const PIPELINES = 'pipelines';

/** Undefined when there is nothing at that address. */
export function pipelinesUsing(config: Config, kindName: KindName, address: string): { group: string; pipeline: string }[] | undefined {
  const entries = config.of(kindName);
  const id = entries.idAt(address);
  if (!entries.find(id)) return undefined;
  return new Draft(config)
    .referrers(kindName, id)
    .filter((referrer) => referrer.kind === PIPELINES)
    .map(({ id: pipeline }) => ({ group: String(config.of(PIPELINES).find(pipeline)!.value.group), pipeline }));
}
