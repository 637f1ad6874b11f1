// A stand-in for a Docker Engine: it answers as its HTTP interface is documented, and a container is a process, which runs an agent of this repository.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentContainer } from '../builds/agent-container.ts';

/** The address of the server in the tests; containers have a network of their own. */
export const SERVER_NAME = 'http://slipway.internal';

export interface ContainerBody {
  readonly Image: string;
  readonly Cmd?: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: Readonly<Record<string, unknown>>;
}

interface Container extends ContainerBody {
  readonly name: string;
  state: 'created' | 'running' | 'exited';
  code: number;
  process?: AgentContainer;
}

export class DockerEngine {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-docker-'));
  readonly socket = join(this.folder, 'docker.sock');
  readonly containers = new Map<string, Container>();
  /** The names of all that were ever made. */
  readonly made: string[] = [];
  /** `POST /containers/create`, in the order they came. */
  readonly requests: string[] = [];
  readonly images = new Set(['agent', 'silent', 'broken']);
  /** The images that can be pulled. */
  readonly registry = new Set<string>();
  /** The names of containers that it fails to remove. */
  readonly stuck = new Set<string>();
  /** The header of the last pull. */
  login: string | undefined;
  /** Whether containers are made without an answer, as if the client was killed. */
  isMute = false;
  readonly #serverUrl: () => string;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((failure: Error) => json(response, 500, { message: failure.message }));
  });

  constructor(serverUrl: () => string) {
    this.#serverUrl = serverUrl;
  }

  get uri(): string {
    return `unix://${this.socket}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.socket, resolve));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.containers.values()].map(({ process }) => process?.kill()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  only(): Container | undefined {
    return [...this.containers.values()][0];
  }

  /** Adds a container that another client has started. */
  plant(name: string, body: ContainerBody): void {
    this.containers.set(name, { ...body, name, state: 'running', code: 0 });
  }

  /** Starts the process of its image, or of another one. */
  run(container: Container, image = container.Image): void {
    container.state = 'running';
    if (image.startsWith('silent')) return;
    if (image === 'broken') {
      this.#ended(container, 127);
      return;
    }
    const environment = Object.fromEntries(container.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    environment.SLIPWAY_SERVER = environment.SLIPWAY_SERVER?.replace(SERVER_NAME, this.#serverUrl());
    container.process = new AgentContainer(join(this.folder, container.name), environment);
    void container.process.ended.then((code) => this.#ended(container, code));
  }

  #ended(container: Container, code: number): void {
    container.state = 'exited';
    container.code = code;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://docker');
    const route = `${request.method} ${pathname}`;
    this.requests.push(route);
    const body = await bodyOf(request);
    if (route === 'POST /containers/create')
      return this.#create(searchParams.get('name') ?? '', JSON.parse(body) as ContainerBody, response);
    if (route === 'GET /containers/json') return this.#list(searchParams, response);
    if (route === 'POST /images/create') return this.#pull(searchParams, request, response);
    const [, name = '', action] = /^\/containers\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const container = this.containers.get(name);
    if (!container) return json(response, 404, { message: `No such container: ${name}` });
    if (request.method === 'POST' && action === 'start') {
      this.run(container);
      response.writeHead(204).end();
    } else if (request.method === 'DELETE' && action === undefined) {
      if (container.state === 'running' && searchParams.get('force') !== 'true')
        return json(response, 409, { message: 'You cannot remove a running container' });
      if (this.stuck.has(name)) return json(response, 500, { message: 'unable to remove filesystem: device or resource busy' });
      this.containers.delete(name);
      await container.process?.kill();
      response.writeHead(204).end();
    } else json(response, 404, { message: 'page not found' });
  }

  #create(name: string, body: ContainerBody, response: ServerResponse): void {
    if (!this.images.has(body.Image)) {
      json(response, 404, { message: `No such image: ${body.Image}` });
      return;
    }
    if (this.containers.has(name)) {
      json(response, 409, { message: `Conflict. The container name "/${name}" is already in use` });
      return;
    }
    this.containers.set(name, { ...body, name, state: 'created', code: 0 });
    this.made.push(name);
    if (!this.isMute) json(response, 201, { Id: name, Warnings: [] });
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const { label = [] } = JSON.parse(query.get('filters') ?? '{}') as { readonly label?: readonly string[] };
    const isMeant = ({ Labels }: Container) => label.every((one) => Labels[one.split('=')[0]!] === one.split('=')[1]);
    const shown = [...this.containers.values()]
      .filter((container) => isMeant(container) && (query.get('all') === 'true' || container.state === 'running'))
      .map(({ name, Labels, state, code }) => ({
        Id: name,
        Names: [`/${name}`],
        Labels,
        State: state,
        Status: state === 'exited' ? `Exited (${code}) 1 second ago` : state === 'created' ? 'Created' : 'Up 1 second',
      }));
    json(response, 200, shown);
  }

  /** Docker says that it begins, and only then whether it can. */
  #pull(query: URLSearchParams, { headers }: IncomingMessage, response: ServerResponse): void {
    this.login = headers['x-registry-auth'] as string | undefined;
    const [name, tag] = [query.get('fromImage') ?? '', query.get('tag')];
    const image = tag === 'latest' ? name : `${name}:${tag}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`${JSON.stringify({ status: 'Pulling', id: tag })}\r\n`);
    const error = `pull access denied for ${name}, repository does not exist or may require 'docker login'`;
    if (this.registry.has(image)) this.images.add(image);
    response.end(`${JSON.stringify(this.registry.has(image) ? { status: 'Done' } : { errorDetail: { message: error }, error })}\r\n`);
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
