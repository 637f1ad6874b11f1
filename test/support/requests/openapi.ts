// The OpenAPI document of a server as a list of operations, ready to be looked through and tried out.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Ask, TestServer } from '../server/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas and examples have every shape
type Any = any;
export type Schema = Readonly<Record<string, Any>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: string;
}

export interface Body {
  readonly schema?: Schema;
  readonly example?: Any;
}

export interface RequestBody extends Body {
  readonly type: string;
  /** The place of the schema in the document. */
  readonly schemaAt: string;
}

export interface Response {
  readonly status: number;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The media type of the body; undefined: it has none. */
  readonly type: string | undefined;
  readonly body: Body;
  /** The place of the schema in the document. */
  readonly schemaAt: string;
}

export interface Operation {
  /** `POST /api/users/{login_name}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly permission: string | undefined;
  /** Another protocol whose bodies and answers it speaks: the document does not show them. */
  readonly protocol: string | undefined;
  readonly parameters: readonly Parameter[];
  /** The body in every form that it can be sent in. */
  readonly bodies: readonly RequestBody[];
  /** The first of them. */
  readonly request: RequestBody | undefined;
  readonly success: Response;
  readonly others: readonly Response[];
}

/** The chapters of builds: their examples need runs and agents, and are tried in test/api/documentation/documentation-builds.test.ts. */
const CHAPTERS_OF_BUILDS: ReadonlySet<string> = new Set([
  'Runs',
  'Stages',
  'Jobs',
  'Consoles',
  'Artifacts',
  'Tests',
  'Agents',
  'Agent protocol',
  'Dashboard',
  'Feeds',
]);

export function isOfBuilds({ tags }: Operation): boolean {
  return tags.some((tag) => CHAPTERS_OF_BUILDS.has(tag));
}

/** The response of requests that never succeed, as there are some of another protocol. */
const NEVER: Response = { status: 0, type: undefined, body: {}, schemaAt: '' };

export class OpenApi {
  readonly document: Readonly<Record<string, Any>>;
  readonly operations: readonly Operation[];
  /** The parsed documents by their text. */
  static readonly #known = new Map<string, OpenApi>();
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

  constructor(document: Readonly<Record<string, Any>>) {
    this.document = document;
    this.operations = Object.entries(document.paths as Record<string, Record<string, Any>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#read(path, method, operation)),
    );
    this.#ajv.addSchema({ $id: 'document', ...closed(document) } as object);
  }

  /** Shared by the servers with the same document: to compile its schemas takes seconds. A server of a test can have routes of its own. */
  static async of(server: TestServer): Promise<OpenApi> {
    const { text, json } = await server.get('/api/openapi.json');
    const known = OpenApi.#known.get(text) ?? new OpenApi(json);
    OpenApi.#known.set(text, known);
    return known;
  }

  find(name: string): Operation {
    const found = this.operations.find((operation) => operation.name === name);
    if (!found) throw new Error(`There is no operation ${name}.`);
    return found;
  }

  /** The problems of a value by a schema of the document; members that the schema does not name are problems, too. */
  problems(schemaAt: string, value: unknown): string[] {
    const check = this.#ajv.getSchema(`document${schemaAt}`) ?? this.#ajv.compile({ $ref: `document${schemaAt}` });
    if (check(value)) return [];
    return (check.errors ?? []).map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
  }

  #read(path: string, method: string, operation: Any): Operation {
    const at = `#/paths/${pointer(path)}/${method}`;
    const responses = Object.entries(operation.responses as Record<string, Any>).map(([status, response]) =>
      this.#readResponse(Number(status), response, `${at}/responses/${status}`),
    );
    const protocol: string | undefined = operation['x-protocol'];
    const success = responses.find(({ status }) => status < 400 && status !== 304) ?? (protocol && NEVER);
    if (!success) throw new Error(`${method} ${path} does not say what happens when all goes well.`);
    const bodies = Object.entries((operation.requestBody?.content ?? {}) as Record<string, Body>).map(([type, body]) => ({
      ...body,
      type,
      schemaAt: `${at}/requestBody/content/${pointer(type)}/schema`,
    }));
    return {
      ...operation,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      permission: operation['x-permission'],
      protocol,
      bodies,
      request: bodies[0],
      success,
      others: responses.filter((response) => response !== success),
    };
  }

  #readResponse(status: number, given: Any, givenAt: string): Response {
    const at: string = given.$ref ?? givenAt;
    const response = given.$ref ? this.document.components.responses[given.$ref.split('/').at(-1)] : given;
    const [[type, body] = []] = Object.entries((response.content ?? {}) as Record<string, Body>);
    return { ...response, status, type, body: body ?? {}, schemaAt: `${at}/content/${pointer(type ?? '')}/schema` };
  }
}

/** The address of an operation, with the examples of its parameters in it. */
export function addressOf({ path, parameters }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    return encodeURIComponent(parameter?.example ?? 'nothing');
  });
}

/** The content to send so that the example of a body arrives in its form. */
export async function contentOf({ type, example }: RequestBody): Promise<Pick<Ask, 'body' | 'text' | 'headers'>> {
  if (type === 'application/json') return { body: example };
  if (type.endsWith('+json')) return { text: JSON.stringify(example), headers: { 'Content-Type': type } };
  if (typeof example !== 'object') return { text: String(example), headers: { 'Content-Type': type } };
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries<string | readonly string[]>(example)) {
    if (typeof value === 'string') form.set(name, value);
    else if (form instanceof FormData) for (const [index, file] of value.entries()) form.append(name, new Blob([file]), `file-${index}`);
  }
  const sent = new globalThis.Response(form);
  return { text: await sent.text(), headers: { 'Content-Type': sent.headers.get('content-type')! } };
}

/** Whether it looks at a header. */
export function takesHeader({ parameters }: Operation, name: string): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name === name);
}

/** A part of a JSON pointer inside an address. */
function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Every object takes only the members that are described. */
function closed(value: Any): Any {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === 'example' ? member : closed(member)]));
  const isOpen = !isSchemaOfObject(members) || members.additionalProperties !== undefined;
  return isOpen ? members : { ...members, additionalProperties: false };
}

function isSchemaOfObject({ type, properties }: Any): boolean {
  return typeof properties === 'object' && (type === 'object' || (Array.isArray(type) && type.includes('object')));
}
