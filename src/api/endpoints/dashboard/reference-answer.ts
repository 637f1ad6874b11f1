// The whole dashboard in the form of GoCD: the groups, environments and pipelines that the caller may see and the view shows.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import type { DashboardIndex, DashboardRow } from '../../../builds/dashboard/dashboard-index.ts';
import { type DashboardView, filterOf } from '../../../builds/dashboard/views.ts';
import type { Config } from '../../../config/current.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Caller } from './caller.ts';
import { pipelineText } from './reference-json.ts';

export interface ReferenceParts {
  readonly index: DashboardIndex;
  readonly config: Config;
  readonly access: Pick<Access, 'may'>;
}

interface ReferenceRequest {
  readonly identity: Identity;
  readonly caller: Caller;
  readonly view: DashboardView;
  /** The ETag of the views of the user. */
  readonly personalization: string;
}

export async function referenceText(parts: ReferenceParts, { identity, caller, view, personalization }: ReferenceRequest): Promise<string> {
  const { index, config, access } = parts;
  const wanted = filterOf(view);
  const visible = index.rows().filter(({ facts }) => caller.sees(facts.pipeline));
  const rows = wanted ? visible.filter(({ facts }) => wanted(facts)) : visible;
  const groups = groupsOf(config, caller, visible, rows, wanted === undefined);
  const environments = environmentsOf(visible, rows, (name) =>
    access.may(identity, 'admin', { type: 'environment', action: 'administer', resource: name }),
  );
  const pipelines: string[] = [];
  for (const row of rows) {
    pipelines.push(pipelineText(row, caller));
    const breath = pause();
    if (breath) await breath;
  }
  const start = JSON.stringify({ pipeline_groups: groups, environments }).slice(0, -1);
  return `{"_personalization":${JSON.stringify(personalization)},"_embedded":${start},"pipelines":[${pipelines.join()}]}}`;
}

const nameIn = ({ facts }: DashboardRow) => facts.pipeline.name;

/** Groups without pipelines are shown only in a view without a filter. */
function groupsOf(
  config: Config,
  caller: Caller,
  visible: readonly DashboardRow[],
  rows: readonly DashboardRow[],
  isUnfiltered: boolean,
): JsonOut[] {
  const keyOf = ({ facts }: DashboardRow) => facts.pipeline.group.toLowerCase();
  const defined = new Set(visible.map(keyOf));
  const shown = Map.groupBy(rows, keyOf);
  return [...config.of('pipelineGroups').all()].flatMap(({ key, value: { name } }) => {
    const own = shown.get(key) ?? [];
    if (own.length === 0 && !(isUnfiltered && caller.seesGroup(key))) return [];
    return [{ name, pipelines: own.map(nameIn), can_administer: caller.administersGroup(key), defines_pipelines: defined.has(key) }];
  });
}

function environmentsOf(
  visible: readonly DashboardRow[],
  rows: readonly DashboardRow[],
  administers: (name: string) => boolean,
): JsonOut[] {
  const keyOf = ({ facts }: DashboardRow) => facts.pipeline.environment ?? '';
  const defined = new Set(visible.map(keyOf));
  const shown = [...Map.groupBy(rows, keyOf)].filter(([name]) => name !== '').toSorted(([one], [other]) => (one < other ? -1 : 1));
  return shown.map(([name, own]) => ({
    name,
    pipelines: own.map(nameIn),
    can_administer: administers(name),
    defines_pipelines: defined.has(name),
  }));
}
