// An environment: from the model to the body that the API takes.
import type { DefinedEnvironment } from '../../contracts/plugins/config-repo.ts';
import type { Dict } from '../../kit/tree/tree.ts';
import type { Report } from '../report.ts';
import { EntityLocation } from './location.ts';
import { Part } from './part.ts';
import { copyVariables } from './variables.ts';

export function readEnvironment(dict: Dict, report: Report): DefinedEnvironment {
  const given = dict.members.get('name')?.value;
  const name = given?.kind === 'text' ? given.text : undefined;
  const location = EntityLocation.entity(report, 'Environment', name);
  const part = new Part(dict, location);
  part.need('name');
  const body = part.begin();
  part.copyText('name');
  part.copyList('pipelines', 'pipelines', (item) => {
    const member = location.body.object(item.at);
    if (item.kind === 'text') member.name = location.body.value(item.at, item.text);
    return member;
  });
  copyVariables(part);
  const agents = namesIn(part, 'agents');
  checkOnce(agents, (agent) => `Agent ${agent} is defined more than once`, part, 'agents');
  checkOnce(namesIn(part, 'pipelines'), (pipeline) => `Pipeline ${pipeline} is defined more than once`, part, 'pipelines');
  part.member('format_version');
  part.done();
  return { name: name ?? '', file: report.file, ...report.position(dict.at), body, agents, positions: location.body.positions(report) };
}

function namesIn(part: Part, field: string): string[] {
  return (part.items(field) ?? []).flatMap((item) => {
    if (item.kind === 'text') return [item.text];
    part.location.problem(item.at, `Expected the names in ${field} to be texts.`);
    return [];
  });
}

/** Names that differ in letter case only are the same. */
function checkOnce(names: readonly string[], repeated: (name: string) => string, part: Part, field: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.size === seen.add(name.toLowerCase()).size) part.location.problem(part.offsetOf(field), repeated(name), 'Remove one of them.');
  }
}
