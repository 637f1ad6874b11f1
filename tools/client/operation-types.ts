// The types of all operations of an OpenAPI document: their parameters and bodies, and their answers.
import { commentOf, memberName, type Schema, typeOf } from './schema-type.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const JSON_TYPE = /[/+]json$/;
const TEXT_TYPE = /^text\/|[/+]xml$/;
const VERSION = /^application\/vnd\.svc\.v(\d+)\+json$/;
const INDENT = '    ';

/** One member of `Operations`; undefined: its answer is neither JSON nor text, so it is asked for by `request`. */
export function operationMember(method: string, path: string, operation: Operation): string | undefined {
  const answer = answerOf(operation);
  if (answer === undefined) return undefined;
  const parts = [...parametersOf(operation), ...bodyPart(operation), ...answer];
  const lines = parts.map(([name, type]) => `${INDENT}readonly ${name}: ${type};\n`).join('');
  return `${commentOf(operation.summary, '  ')}  readonly '${method.toUpperCase()} ${path}': {\n${lines}  };\n`;
}

type Part = readonly [name: string, type: string];

function parametersOf({ parameters = [] }: Operation): Part[] {
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const ifMatch = parameters.find((one) => one.in === 'header' && one.name === 'If-Match');
  const path = inPath.map(({ name }) => `readonly ${memberName(name)}: string | number`).join('; ');
  const query = inQuery.map(({ name, schema = {} }) => `readonly ${memberName(name)}?: ${typeOf(schema, INDENT)}`).join('; ');
  return [
    ...(path === '' ? [] : [['path', `{ ${path} }`] as const]),
    ...(query === '' ? [] : [['query', `{ ${query} }`] as const]),
    ...(ifMatch?.required ? [['ifMatch', "'required'"] as const] : []),
  ];
}

function bodyPart({ requestBody }: Operation): Part[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (requestBody === undefined || schema === undefined) return [];
  return [[requestBody.required ? 'body' : 'optionalBody', typeOf(schema, INDENT)]];
}

function answerOf({ responses }: Operation): Part[] | undefined {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  if (content === undefined) return [['answer', 'undefined']];
  const [type, found] = Object.entries(content).find(([one]) => JSON_TYPE.test(one)) ?? [];
  if (type !== undefined) {
    const version = VERSION.exec(type)?.[1];
    const answer: Part = ['answer', found?.schema === undefined ? 'Json' : typeOf(found.schema, INDENT)];
    return version === undefined ? [answer] : [['version', version], answer];
  }
  return Object.keys(content).some((one) => TEXT_TYPE.test(one)) ? [['answer', 'string']] : undefined;
}
