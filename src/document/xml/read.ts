// Reads the document into the JSON of its entities, and says where it is not as the format wants it.
import type { TextProblem, XmlElement } from '../../kit/xml/tree.ts';
import type { KindName } from '../../shape/configuration.ts';
import { invalidValue, unknownElement } from './form/messages.ts';
import { childNamed } from './form/part.ts';
import { type IgnoredPart, type ReadEntity, startReading } from './form/reading.ts';
import { document, SCHEMA_VERSION } from './sections/document.ts';

export type { EntityJson, IgnoredPart, ReadEntity } from './form/reading.ts';

export interface ReadDocument {
  /** In the order of the document: created one after the other, they give the same document again. */
  readonly entities: readonly ReadEntity[];
  readonly problems: readonly TextProblem[];
  readonly ignored: readonly IgnoredPart[];
}

export function readDocument(root: XmlElement): ReadDocument {
  const problems: TextProblem[] = [];
  const ignored: IgnoredPart[] = [];
  const refusal = rootProblem(root);
  if (refusal) return { entities: [], problems: [{ line: root.line, column: root.column, message: refusal }], ignored };
  const reading = startReading(problems, ignored);
  const { default_job_timeout, ...identity } = document.read(root, reading, '');
  const { line, column } = childNamed(root, 'server') ?? root;
  const isFaulty = problems.some((problem) => problem.line === line && problem.column === column);
  const own = (kind: KindName, json: ReadEntity['json']): ReadEntity => ({ kind, json, line, lines: new Map(), isFaulty });
  const jobTimeout = default_job_timeout === undefined ? [] : [own('jobTimeout', { default_job_timeout })];
  return { entities: [...jobTimeout, own('serverIdentity', identity), ...reading.entities], problems, ignored };
}

function rootProblem({ name, attributes }: XmlElement): string | undefined {
  if (name !== document.name) return unknownElement(name);
  const version = attributes.get('schemaVersion') ?? '0';
  if (version === SCHEMA_VERSION) return undefined;
  return /^\d{1,9}$/.test(version)
    ? `Go config file with version ${version} is invalid. Unable to upgrade.`
    : invalidValue(version, name, 'schemaVersion');
}
