// Pipelines as the server stores them, and the way from their JSON to an exported file and back.
import { Config } from '../../../src/config/current.ts';
import { Draft } from '../../../src/config/draft.ts';
import type { FileFormat, FileParser, ParsedFile } from '../../../src/contracts/plugins/config-repo.ts';
import { Cipher } from '../../../src/kit/bytes/cipher.ts';
import { registry } from '../../../src/resources/index.ts';
import { readEntity, writeSealed } from '../../../src/shape/json/entity-json.ts';
import type { JsonObject, JsonOut } from '../../../src/shape/json/json.ts';
import type { Problem } from '../../../src/shape/problems/problem.ts';
import { kindsOf, type Registry } from '../../../src/shape/resource.ts';

export type Format = Pick<FileFormat, 'exportPipeline' | 'exportEnvironment' | 'join' | 'chooseSent'> & Pick<FileParser, 'parse'>;

const tools = { cipher: new Cipher(Buffer.alloc(32, 7)), openImported: () => undefined, isSecretSetting: () => undefined };
const { ruleView } = new Draft(new Config(kindsOf(registry)));

/** The entity as the server would store it, in the form of documents. */
export function stored(
  kind: 'pipelines' | 'environments',
  body: JsonObject,
): { readonly json: JsonOut; readonly problems: readonly Problem[] } {
  const resource = (registry as Registry)[kind]!;
  const { entity, problems } = readEntity(resource, body, { ruleView, isSealed: true }, tools);
  return { json: JSON.parse(JSON.stringify(writeSealed(resource, entity))) as JsonOut, problems };
}

export function encrypted(plain: string): string {
  return tools.cipher.encrypt(plain);
}

export function parseText(format: Format, name: string, text: string | Uint8Array): ParsedFile {
  const { files } = format.chooseSent([name], new Map());
  return format.parse(files[0]!, typeof text === 'string' ? Buffer.from(text) : text);
}
