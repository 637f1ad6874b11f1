// Materials as a file says them. SCMs that config repos declare are declared again, for by their ids they can be named nowhere.
import type { Entry } from '../../config/entry.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import type { Kind } from '../../shape/resource.ts';
import type { SecretWriter } from '../../shape/secrets/secret.ts';

/** Whether a pipeline of a config repo declares the SCM. SCMs of the server's own configuration are named by their ids. */
export function isDeclared(scm: Entry<EntityNamed<'scms'>> | undefined): scm is Entry<EntityNamed<'scms'>> {
  return scm !== undefined && repoOriginOf(scm.value) !== undefined;
}

/** The pipeline as a file would define it, with the names that the file gives to SCMs and packages. */
export function asInFile(
  pipeline: JsonObject,
  scms: readonly Entry<EntityNamed<'scms'>>[],
  kind: Kind<'scms'>,
  origin: RemoteOrigin | undefined,
  secrets: SecretWriter,
): JsonObject {
  const { materials } = pipeline;
  if (!Array.isArray(materials)) return pipeline;
  const bodies = new Map(scms.map(({ value }) => [value.id, writeSealed(kind, value, secrets)]));
  const inFile = (material: Json) =>
    isObject(material) && isObject(material.attributes)
      ? { ...material, attributes: attributesInFile(material, bodies, origin) }
      : material;
  return { ...pipeline, materials: materials.map(inFile) };
}

function attributesInFile({ type, attributes }: JsonObject, bodies: ReadonlyMap<string, JsonObject>, origin?: RemoteOrigin): JsonObject {
  const { ref, ...rest } = attributes as JsonObject;
  if (type !== 'plugin' && type !== 'package') return attributes as JsonObject;
  const name = (type === 'plugin' ? origin?.scms : origin?.packages)?.[String(ref)];
  const body = type === 'plugin' ? bodies.get(String(ref)) : undefined;
  if (!body) return { ...(attributes as JsonObject), ...(name !== undefined && { name }) };
  const { plugin_metadata, configuration } = body;
  return { ...rest, scm: { name: name ?? body.name!, plugin_metadata: plugin_metadata!, configuration: configuration! } };
}
