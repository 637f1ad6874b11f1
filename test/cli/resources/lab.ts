// A server, a home of a user who is logged in on the command line, and an editor that a test plays.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ending, slipway, type Terminal } from '../../support/server/command-line.ts';
import { ADMIN_PASSWORD, TestServer } from '../../support/server/server.ts';

export class CommandLab {
  readonly server: TestServer;
  readonly home: string;

  private constructor(server: TestServer, home: string) {
    this.server = server;
    this.home = home;
  }

  /** Starts a lab with the administrator logged in. */
  static async start(options: Readonly<Record<string, string>> = {}): Promise<CommandLab> {
    const lab = new CommandLab(await TestServer.start(options), mkdtempSync(join(tmpdir(), 'slipway-cli-home-')));
    await lab.expect(0, ['login', lab.server.url, '--user', 'admin', '--password', ADMIN_PASSWORD, '--context', 'lab']);
    return lab;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  file(name: string, text: string): string {
    writeFileSync(join(this.home, name), text);
    return join(this.home, name);
  }

  run(args: readonly string[], terminal: Terminal = {}): Promise<Ending> {
    return slipway(args, { directory: this.home, ...terminal, environment: { HOME: this.home, ...terminal.environment } });
  }

  /** Runs it, and expects this exit code. */
  async expect(status: number, args: readonly string[], terminal: Terminal = {}): Promise<Ending> {
    const ending = await this.run(args, terminal);
    assert.equal(ending.status, status, `${args.join(' ')}\n${ending.out}\n${ending.err}`);
    return ending;
  }

  /** The output of a command that must work. */
  async out(...args: readonly string[]): Promise<string> {
    return (await this.expect(0, args)).out;
  }

  /** Runs `edit` with an editor that does these things, one at each time it is opened: the body of a function of the text. */
  edit(args: readonly string[], steps: readonly string[], terminal: Terminal = {}): Promise<Ending> {
    const script = this.file(
      'editor.mjs',
      `import { readFileSync, writeFileSync, existsSync } from 'node:fs';
const [count, file] = [new URL('count', import.meta.url), process.argv[2]];
const turn = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0;
writeFileSync(count, String(turn + 1));
const text = readFileSync(file, 'utf8');
writeFileSync(new URL('seen-' + turn, import.meta.url), text);
const steps = [${steps.map((step) => `async (text) => { ${step} }`).join(', ')}];
const edited = turn < steps.length ? await steps[turn](text) : text;
if (typeof edited === 'number') process.exit(edited);
writeFileSync(file, edited);
`,
    );
    rmSync(join(this.home, 'count'), { force: true });
    const environment = { EDITOR: `${process.execPath} ${script}` };
    return this.run(['edit', ...args], { ...terminal, environment });
  }
}
