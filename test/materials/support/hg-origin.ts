// Real Mercurial repositories, and `hg serve` behind a server that wants a password.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { HgCommands } from './hg-commands.ts';

const env = { PATH: process.env.PATH, HGPLAIN: '1', HGRCPATH: '', HGUSER: 'Ann Öther <ann@example.org>', HGENCODING: 'UTF-8' };
const commands = new HgCommands(env);

export class HgOrigin {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(path: string): Promise<HgOrigin> {
    mkdirSync(path, { recursive: true });
    await commands.run(path, ['init', path]);
    return new HgOrigin(path);
  }

  hg(...args: readonly string[]): Promise<string> {
    return commands.run(this.path, args);
  }

  async commit(message: string, files: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    const output = await this.hg('commit', '--debug', '--addremove', '--config=ui.allowemptycommit=true', `--message=${message}`, ...args);
    return /^committed changeset \d+:([0-9a-f]{40})/m.exec(output)![1]!;
  }

  async tip(): Promise<string> {
    return (await this.hg('log', '--rev=.', '--template={node}')).trim();
  }

  /** Many commits at once: a bundle of patches is much quicker than one process for each. */
  async grow(count: number): Promise<void> {
    const patches = Array.from({ length: count }, (_, index) => {
      const name = `grown/file-${index + 1}.txt`;
      return `# HG changeset patch\n# User Ann\n# Date ${1_700_000_000 + index} 0\nchange ${index + 1}\n\ndiff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,1 @@\n+content\n`;
    });
    writeFileSync(`${this.path}.patches`, patches.join('\n'));
    await this.hg('import', '--quiet', `${this.path}.patches`);
  }
}

export interface HgServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startHgServe({ path }: HgOrigin, username: string, password: string): Promise<HgServer> {
  const server = spawn('hg', ['serve', '--address=127.0.0.1', '--port=0', '--print-url'], {
    cwd: path,
    env: { ...env, PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killServer = (): void => void server.kill('SIGKILL');
  process.once('exit', killServer);
  const [line] = await once(server.stdout, 'data');
  const [, port] = /:(\d+)\//.exec(String(line))!;
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const guard = createServer((request, response) => {
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="hg"' }).end();
      return;
    }
    const { host, authorization, ...headers } = request.headers;
    const inner = sendRequest({ host: '127.0.0.1', port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    inner.on('error', () => response.destroy());
    request.pipe(inner);
  });
  guard.listen(0, '127.0.0.1');
  await once(guard, 'listening');
  return {
    url: `http://127.0.0.1:${(guard.address() as AddressInfo).port}`,
    stop: async () => {
      process.off('exit', killServer);
      guard.closeAllConnections();
      guard.close();
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
