// From the bytes of a configuration file to its entities.
import { readXml } from '../../kit/xml/read-xml.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { IgnoredContent } from '../upgrade/step.ts';
import { upgrade } from '../upgrade/upgrade.ts';
import { type IgnoredPart, type ReadEntity, readDocument } from '../xml/read.ts';
import type { ConfigFile, FileEntity } from './config-file.ts';

/** The member of the JSON form that identifies an entity, by kind; none for a kind of which there is only one. */
export type IdNames = Readonly<Partial<Record<KindName, string>>>;

export function readFile(bytes: Uint8Array, idNames: IdNames): ConfigFile {
  const { root, problems, commentLine } = readXml(bytes);
  if (!root || problems.length > 0) return { version: 0, entities: [], ignored: [], problems, isMalformed: true };
  const upgraded = upgrade(root);
  if (upgraded.problems.length > 0) return { version: upgraded.from, entities: [], ignored: [], problems: upgraded.problems };
  const document = readDocument(root);
  return {
    version: upgraded.from,
    entities: document.entities.map((entity) => fileEntity(entity, idNames)),
    ignored: [...upgraded.ignored, ...document.ignored.map(asIgnored), ...commentsAt(commentLine)],
    problems: document.problems,
  };
}

/** Reported once, however many there are. */
function commentsAt(line: number | undefined): IgnoredContent[] {
  const why = 'They are no part of the configuration: a document that is fetched later does not have them.';
  return line === undefined ? [] : [{ what: `line ${line}: comments`, why }];
}

function asIgnored({ line, what, why }: IgnoredPart): IgnoredContent {
  return { what: `line ${line}: ${what}`, why };
}

function fileEntity({ kind, json, line, lines, isFaulty = false }: ReadEntity, idNames: IdNames): FileEntity {
  const linesText = JSON.stringify(Object.fromEntries(lines));
  return { kind, id: idIn(json, idNames[kind]), text: JSON.stringify(json), line, lines: linesText, isFaulty };
}

function idIn(json: JsonObject, name: string | undefined): string {
  const id = name === undefined ? '' : (json[name] ?? '');
  return typeof id === 'object' ? '' : String(id);
}
