// A stand-in for a manager of a Docker swarm: it answers as the HTTP interface of the Docker Engine is documented, and a task is a process, which runs an agent of this repository.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentContainer } from '../builds/agent-container.ts';

interface Body {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly TaskTemplate: {
    readonly ContainerSpec: {
      readonly Image: string;
      readonly Env: readonly string[];
      readonly Secrets?: readonly { readonly SecretID: string }[];
    };
    readonly [member: string]: unknown;
  };
}

interface Service extends Body {
  readonly id: string;
  status: { readonly State: string; readonly Err?: string };
  process?: AgentContainer;
}

export class DockerSwarm {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-swarm-'));
  /** The services by name. */
  readonly services = new Map<string, Service>();
  readonly made: Service[] = [];
  readonly #serverUrl: () => string;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((failure: Error) => json(response, 500, { message: failure.message }));
  });

  constructor(serverUrl: () => string) {
    this.#serverUrl = serverUrl;
  }

  get uri(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map(({ process }) => process?.kill()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://docker');
    const filters = JSON.parse(searchParams.get('filters') ?? '{}') as Readonly<Record<string, readonly string[]>>;
    const all = [...this.services.values()];
    switch (`${request.method} ${pathname}`) {
      case 'POST /services/create':
        return this.#create(JSON.parse(body) as Body, response);
      case 'GET /services': {
        const isMeant = ({ Labels }: Service) => filters.label!.every((one) => Labels[one.split('=')[0]!] === one.split('=')[1]);
        return json(
          response,
          200,
          all.filter(isMeant).map(({ id, Name, Labels }) => ({ ID: id, Spec: { Name, Labels } })),
        );
      }
      case 'GET /tasks': {
        const meant = all.filter(({ id, Name }) => filters.service!.includes(id) || filters.service!.includes(Name));
        return json(
          response,
          200,
          meant.map(({ id, status }) => ({ ID: `task-${id}`, ServiceID: id, Status: status })),
        );
      }
      case 'GET /secrets':
        return json(response, 200, filters.name!.includes('npm') ? [{ ID: 'secret-1', Spec: { Name: 'npm' } }] : []);
      default:
        return this.#remove(pathname.replace('/services/', ''), response);
    }
  }

  #create(body: Body, response: ServerResponse): void {
    if (this.services.has(body.Name)) {
      json(response, 409, { message: `rpc error: name conflicts with an existing object: service ${body.Name} already exists` });
      return;
    }
    const service: Service = { ...body, id: `id-${this.made.length}`, status: { State: 'preparing' } };
    this.services.set(body.Name, service);
    this.made.push(service);
    if (body.TaskTemplate.ContainerSpec.Image === 'agent') this.#run(service);
    else service.status = { State: 'rejected', Err: 'No such image: nowhere' };
    json(response, 201, { ID: service.id });
  }

  #run(service: Service): void {
    const lines = service.TaskTemplate.ContainerSpec.Env.map((line) => line.split(/=(.*)/s).slice(0, 2));
    const environment: Record<string, string> = Object.fromEntries(lines);
    service.process = new AgentContainer(join(this.folder, service.Name), { ...environment, SLIPWAY_SERVER: this.#serverUrl() });
    service.status = { State: 'running' };
    void service.process.ended.then(() => (service.status = { State: 'complete' }));
  }

  async #remove(name: string, response: ServerResponse): Promise<void> {
    const service = this.services.get(name);
    this.services.delete(name);
    await service?.process?.kill();
    json(response, service ? 200 : 404, service ? {} : { message: `service ${name} not found` });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
