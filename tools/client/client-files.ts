// The generated files of the client, by their names.
import { type OpenApiDocument, operationMember } from './operation-types.ts';
import { commentOf, schemaName, typeOf } from './schema-type.ts';

const MADE = '// Made from the OpenAPI document by tools/generate-client.ts. Do not change it by hand.\n';

export function clientFiles({ paths, components }: OpenApiDocument): Readonly<Record<string, string>> {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description, '')}export type ${schemaName(name)} = ${typeOf(schema)};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => operationMember(method, path, operation) ?? []),
  );
  const code = operations.join('').replaceAll(/\/\*\*.*\*\//g, '');
  const used = Object.keys(components.schemas)
    .map(schemaName)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const imports = `import type { Json } from '../json.ts';\n`;
  return {
    'schemas.ts': `${MADE}${imports}\n${schemas.join('\n')}`,
    'operations.ts': `${MADE}${imports}import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './schemas.ts';\n\nexport interface Operations {\n${operations.join('\n')}}\n`,
  };
}
