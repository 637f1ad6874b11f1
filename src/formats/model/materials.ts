// The materials of a pipeline, each on its own and among themselves.
import type { JsonOut } from '../../shape/json/json.ts';
import { OLDEST_VERSION } from '../version.ts';
import { knownType } from './known-type.ts';
import { MATERIAL_TYPES, type MaterialType } from './material-types.ts';
import type { Part } from './part.ts';
import { numberIn } from './scalars.ts';

export function readMaterials(pipeline: Part): void {
  const count = pipeline.items('materials')?.length ?? 0;
  if (count === 0) {
    const hint = 'Add what it builds from, such as a git repository.';
    pipeline.location.problem(pipeline.offsetOf('materials'), 'Pipeline has no materials.', hint);
  }
  const version = versionOf(pipeline);
  const names = new Set<string>();
  const scms: Part[] = [];
  pipeline.copyParts('materials', (part) => {
    const type = knownType(part, MATERIAL_TYPES, (given) => `Invalid or unknown material type '${given}'`);
    if (!type) return undefined;
    part.enter((material) => type.label(material, material.shown('name') || 'unknown'));
    checkName(part, names, count);
    if (type.isScm) scms.push(part);
    return materialJson(part, type, version);
  });
  if (scms.length > 1) for (const part of scms) checkDestination(part);
}

function versionOf(pipeline: Part): number {
  const given = pipeline.member('format_version');
  return (given?.kind === 'text' ? numberIn(given.text) : undefined) ?? OLDEST_VERSION;
}

function checkName(part: Part, names: Set<string>, count: number): void {
  const name = part.text('name');
  if (!part.has('name') && count > 1) {
    part.location.problem(part.at, 'Material has no name when there many pipeline materials', 'Give each material a name of its own.');
  }
  if (name && names.size === names.add(name).size) {
    part.location.problem(part.offsetOf('name'), `Material named ${name} is defined more than once`, 'Rename one of them.');
  }
}

function checkDestination(part: Part): void {
  if (part.has('destination')) return;
  const message = 'Material must have destination directory when there are many SCM materials';
  part.location.problem(part.at, message, 'Add destination, a folder for this material alone.');
}

function materialJson(part: Part, type: MaterialType, version: number): JsonOut {
  const { body } = part.location;
  part.need(...type.needs);
  const material = body.object(part.at);
  material.type = body.value(part.offsetOf('type'), part.text('type')!);
  material.attributes = part.begin();
  type.copy(part, version);
  part.done();
  return material;
}
