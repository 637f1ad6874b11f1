// A stand-in for Amazon ECS, and for the service that lends roles: it answers as their interfaces are documented, checks signatures, and a task is a process, which runs an agent of this repository.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AgentContainer } from '../builds/agent-container.ts';
import { isSigned } from './aws-signature.ts';

interface Variable {
  readonly name: string;
  readonly value: string;
}

interface Definition {
  readonly family: string;
  readonly containerDefinitions: readonly {
    readonly image: string;
    readonly environment: readonly Variable[];
    readonly [member: string]: unknown;
  }[];
  readonly [member: string]: unknown;
}

interface RunTask {
  readonly cluster: string;
  readonly taskDefinition: string;
  readonly clientToken: string;
  readonly startedBy: string;
  readonly overrides: { readonly containerOverrides: readonly { readonly environment: readonly Variable[] }[] };
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly [member: string]: unknown;
}

/** The parameters of all actions without an interface of their own. */
interface Asked {
  readonly cluster?: string;
  readonly family?: string;
  readonly startedBy?: string;
  readonly desiredStatus?: string;
  readonly nextToken?: string;
  readonly taskDefinition: string;
  readonly tasks: readonly string[];
  readonly include?: readonly string[];
  readonly task: string;
  readonly reason: string;
}

interface Task {
  readonly asked: RunTask;
  readonly family: string;
  lastStatus: string;
  desiredStatus: 'RUNNING' | 'STOPPED';
  stoppedReason?: string;
  exitCode?: number;
  process?: AgentContainer;
}

export const CLUSTER = 'builds';
export const ACCOUNT = { key: 'AKIDOWN', secret: 'own-secret' };
const LENT = { key: 'AKIDLENT', secret: 'lent-secret', token: 'lent-token' };
export const ROLE = 'arn:aws:iam::123456789012:role/agents';

/** The service refuses with these. */
class Refusal extends Error {
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

export class EcsService {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-ecs-'));
  readonly definitions: Definition[] = [];
  /** The tasks by ARN. */
  readonly tasks = new Map<string, Task>();
  /** The keys of the accounts that asked for tasks. */
  readonly askedBy = new Set<string>();
  /** How often each action was asked for. */
  readonly asked = new Map<string, number>();
  readonly #serverUrl: () => string;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((failure: Error) => {
      const kind = failure instanceof Refusal ? failure.kind : 'ServerException';
      json(response, failure instanceof Refusal ? 400 : 500, { __type: kind, message: failure.message });
    });
  });

  constructor(serverUrl: () => string) {
    this.#serverUrl = serverUrl;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  get running(): Task[] {
    return [...this.tasks.values()].filter(({ lastStatus }) => lastStatus !== 'STOPPED');
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.tasks.values()].map(({ process }) => process?.kill()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (request.method === 'GET') return this.#lend(request, response);
    const { 'x-amz-target': target = '', 'content-type': type, authorization = '', 'x-amz-security-token': token } = request.headers;
    const key = /Credential=([^/]+)/.exec(authorization)?.[1] ?? '';
    if (!isSigned(request, body, 'ecs', (one) => [ACCOUNT, LENT].find(({ key: known }) => known === one)?.secret))
      throw new Refusal('InvalidSignatureException', 'The request signature we calculated does not match the signature you provided.');
    if (key === LENT.key && token !== LENT.token) throw new Refusal('UnrecognizedClientException', 'The security token is invalid.');
    if (type !== 'application/x-amz-json-1.1') throw new Refusal('SerializationException', 'Unknown content type.');
    this.askedBy.add(key);
    const [service, action = ''] = String(target).split('.');
    if (service !== 'AmazonEC2ContainerServiceV20141113') throw new Refusal('UnknownOperationException', String(target));
    this.asked.set(action, (this.asked.get(action) ?? 0) + 1);
    const asked = JSON.parse(body.toString('utf8')) as Asked & Definition & RunTask;
    if ('cluster' in asked && asked.cluster !== CLUSTER) throw new Refusal('ClusterNotFoundException', 'Cluster not found.');
    json(response, 200, await this.#act(action, asked));
  }

  #lend(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url!, 'http://sts');
    const isAllowed =
      isSigned(request, Buffer.alloc(0), 'sts', (key) => (key === ACCOUNT.key ? ACCOUNT.secret : undefined)) &&
      searchParams.get('Action') === 'AssumeRole' &&
      searchParams.get('RoleArn') === ROLE;
    if (!isAllowed) {
      response.writeHead(403).end('<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>');
      return;
    }
    const until = new Date(Date.now() + 60 * 60_000).toISOString();
    const keys = `<AccessKeyId>${LENT.key}</AccessKeyId><SecretAccessKey>${LENT.secret}</SecretAccessKey><SessionToken>${LENT.token}</SessionToken>`;
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<AssumeRoleResponse><AssumeRoleResult><Credentials>${keys}<Expiration>${until}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
      );
  }

  async #act(action: string, asked: Asked & Definition & RunTask): Promise<object> {
    switch (action) {
      case 'DescribeTaskDefinition':
        return this.#newest(asked.taskDefinition);
      case 'RegisterTaskDefinition':
        this.definitions.push(asked);
        return this.#newest(asked.family);
      case 'RunTask':
        return this.#run(asked);
      case 'ListTasks':
        return this.#list(asked);
      case 'DescribeTasks':
        return { tasks: asked.tasks.flatMap((arn) => this.#described(arn, asked)), failures: [] };
      case 'StopTask':
        return this.#stop(asked.task, asked.reason);
      default:
        throw new Refusal('UnknownOperationException', action);
    }
  }

  #newest(family: string): object {
    const definition = this.definitions.findLast((one) => one.family === family);
    if (!definition) throw new Refusal('ClientException', 'Unable to describe task definition.');
    return { taskDefinition: { ...definition, taskDefinitionArn: this.#arnOf(definition), status: 'ACTIVE' } };
  }

  #arnOf(definition: Definition): string {
    return `arn:aws:ecs:eu-west-1:123456789012:task-definition/${definition.family}:${this.definitions.indexOf(definition) + 1}`;
  }

  #run(asked: RunTask): object {
    const before = [...this.tasks].find(([, task]) => task.asked.clientToken === asked.clientToken);
    if (before && JSON.stringify(before[1].asked) !== JSON.stringify(asked))
      throw new Refusal('ConflictException', 'The clientToken is already in use.');
    const definition = this.definitions.find((one) => this.#arnOf(one) === asked.taskDefinition);
    if (!definition) throw new Refusal('ClientException', 'TaskDefinition not found.');
    const [{ image, environment }] = definition.containerDefinitions as [Definition['containerDefinitions'][0]];
    if (image === 'large') return { tasks: [], failures: [{ reason: 'RESOURCE:MEMORY' }] };
    const arn = before?.[0] ?? `arn:aws:ecs:eu-west-1:123456789012:task/${CLUSTER}/${this.tasks.size}`;
    if (!before)
      this.tasks.set(
        arn,
        this.#start({ asked, family: definition.family, lastStatus: 'PENDING', desiredStatus: 'RUNNING' }, image, environment),
      );
    return { tasks: this.#described(arn, {}), failures: [] };
  }

  #start(task: Task, image: string, environment: readonly Variable[]): Task {
    if (image !== 'agent')
      return Object.assign(task, { lastStatus: 'STOPPED', desiredStatus: 'STOPPED', stoppedReason: `CannotPullContainerError: ${image}` });
    const given = [...environment, ...task.asked.overrides.containerOverrides[0]!.environment].map(({ name, value }) => [name, value]);
    task.process = new AgentContainer(join(this.folder, task.asked.startedBy), {
      ...Object.fromEntries(given),
      SLIPWAY_SERVER: this.#serverUrl(),
    });
    task.lastStatus = 'RUNNING';
    void task.process.ended.then((exitCode) => {
      const stoppedReason = task.stoppedReason ?? 'Essential container in task exited';
      Object.assign(task, { lastStatus: 'STOPPED', desiredStatus: 'STOPPED', exitCode, stoppedReason });
    });
    return task;
  }

  /** Lists the tasks, one to a page. */
  #list({ family, startedBy, desiredStatus = 'RUNNING', nextToken = '0' }: Partial<Asked>): object {
    if (startedBy !== undefined && family !== undefined)
      throw new Refusal('InvalidParameterException', 'startedBy goes with no other filter.');
    const found = [...this.tasks].filter(
      ([, task]) =>
        task.desiredStatus === desiredStatus &&
        (family === undefined || task.family === family) &&
        (startedBy === undefined || task.asked.startedBy === startedBy),
    );
    const next = Number(nextToken) + 1;
    return { taskArns: found.slice(next - 1, next).map(([arn]) => arn), ...(next < found.length && { nextToken: String(next) }) };
  }

  #described(arn: string, { include = [] }: { readonly include?: readonly string[] }): object[] {
    const task = this.tasks.get(arn);
    if (!task) return [];
    const { lastStatus, desiredStatus, stoppedReason, exitCode, asked } = task;
    const tags = include.includes('TAGS') ? asked.tags : [];
    return [{ taskArn: arn, lastStatus, desiredStatus, stoppedReason, containers: [{ name: 'agent', exitCode }], tags }];
  }

  async #stop(arn: string, reason: string): Promise<object> {
    const task = this.tasks.get(arn);
    if (!task) throw new Refusal('InvalidParameterException', 'The referenced task was not found.');
    task.desiredStatus = 'STOPPED';
    task.stoppedReason = reason;
    await task.process?.kill();
    return { task: this.#described(arn, {})[0] };
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
