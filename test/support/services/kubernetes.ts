// A stand-in for the API server of Kubernetes: it answers as its HTTP interface is documented, and a pod is a process, which runs an agent of this repository.
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentContainer } from '../builds/agent-container.ts';

export interface PodBody {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly containers: readonly { readonly image: string; readonly env: readonly { name: string; value: string }[] }[] };
}

interface Pod extends PodBody {
  status: object;
  process?: AgentContainer;
}

const PODS = /^\/api\/v1\/namespaces\/ci\/pods(?:\/([^/]+))?$/;

export class Kubernetes {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-kubernetes-'));
  readonly pods = new Map<string, Pod>();
  readonly made: string[] = [];
  readonly token = 'token-of-the-service-account';
  readonly #serverUrl: () => string;
  readonly #server;

  constructor(certificate: { readonly key: string; readonly cert: string }, serverUrl: () => string) {
    this.#serverUrl = serverUrl;
    this.#server = createServer(certificate, (request, response) => {
      this.#answer(request, response).catch((failure: Error) => status(response, 500, failure.message));
    });
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.pods.values()].map(({ process }) => process?.kill()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    if (request.headers.authorization !== `Bearer ${this.token}`) return status(response, 401, 'Unauthorized');
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubernetes');
    const [isPods, name] = PODS.exec(pathname) ?? [];
    if (!isPods) return status(response, 403, `pods is forbidden: User "slipway" cannot list resource "pods" at ${pathname}`);
    if (request.method === 'GET' && name === undefined) return this.#list(searchParams.get('labelSelector') ?? '', response);
    if (request.method === 'POST' && name === undefined) return this.#create(JSON.parse(body) as PodBody, response);
    const pod = this.pods.get(name ?? '');
    if (!pod) return status(response, 404, `pods "${name}" not found`);
    this.pods.delete(name!);
    await pod.process?.kill();
    json(response, 200, pod);
  }

  #list(selector: string, response: ServerResponse): void {
    const wanted = selector.split(',').map((one) => one.split('='));
    const items = [...this.pods.values()]
      .filter(({ metadata }) => wanted.every(([name = '', value]) => metadata.labels[name] === value))
      .map(({ metadata, spec, status: state }) => ({ metadata, spec, status: state }));
    json(response, 200, { kind: 'PodList', apiVersion: 'v1', items });
  }

  #create(body: PodBody, response: ServerResponse): void {
    const { name } = body.metadata;
    if (this.pods.has(name)) {
      status(response, 409, `pods "${name}" already exists`);
      return;
    }
    const pod: Pod = { ...body, status: { phase: 'Pending' } };
    this.pods.set(name, pod);
    this.made.push(name);
    const [container] = body.spec.containers;
    if (container?.image === 'agent') this.#run(pod, container.env);
    else if (container?.image !== 'pending')
      pod.status = { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] };
    json(response, 201, body);
  }

  #run(pod: Pod, env: readonly { readonly name: string; readonly value: string }[]): void {
    const environment: Record<string, string> = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    pod.process = new AgentContainer(join(this.folder, pod.metadata.name), { ...environment, SLIPWAY_SERVER: this.#serverUrl() });
    pod.status = { phase: 'Running' };
    void pod.process.ended.then((exitCode) => {
      pod.status = { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode, reason: 'Error' } } }] };
    });
  }
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A failure in the form of Kubernetes. */
function status(response: ServerResponse, code: number, message: string): void {
  json(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });
}
