// SCMs that config repos declare: an exported file declares them again, for by their ids they can be named nowhere.
import type { Entry } from '../../config/entry.ts';
import { type RemoteOrigin, remoteOrigin } from '../../config/remote.ts';
import { writeSealed } from '../../shape/entity-json.ts';
import { isObject, type JsonObject } from '../../shape/json.ts';
import type { Entity, Kind } from '../../shape/resource.ts';

/** Those of the server's own configuration are named by their ids. */
export function isDeclared(scm: Entry | undefined): scm is Entry {
  return scm !== undefined && remoteOrigin(scm.value) !== undefined;
}

/** The pipeline as a file would define it. */
export function withDeclaredScms(pipeline: JsonObject, scms: readonly Entry[], kind: Kind, names: RemoteOrigin['scms'] = {}): JsonObject {
  const { materials } = pipeline;
  if (scms.length === 0 || !Array.isArray(materials)) return pipeline;
  const body = (scm: Entity) => ({
    ...writeSealed(kind, scm),
    ...(names[String(scm.id)] !== undefined && { name: names[String(scm.id)]! }),
  });
  const bodies = new Map(scms.map(({ value }) => [String(value.id), body(value)]));
  return { ...pipeline, materials: materials.map((material) => (isObject(material) ? declaredIn(material, bodies) : material)) };
}

function declaredIn(material: JsonObject, bodies: ReadonlyMap<string, JsonObject>): JsonObject {
  if (material.type !== 'plugin' || !isObject(material.attributes)) return material;
  const { ref, ...attributes } = material.attributes;
  const body = bodies.get(String(ref));
  if (!body) return material;
  const { name, plugin_metadata, configuration } = body;
  return {
    ...material,
    attributes: { ...attributes, scm: { name: name!, plugin_metadata: plugin_metadata!, configuration: configuration! } },
  };
}
