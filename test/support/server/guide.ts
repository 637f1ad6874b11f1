// Runs the shell commands of a guide in docs/, and compares their output with the one the guide shows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bareEnvironment } from './bare-environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const MARK = 'end-of-step';
/** Every command that fails is reported, also in functions and pipes, unless the guide looks at its exit code. */
const PROLOGUE = 'exec 2>&1; set -uE -o pipefail; trap \'printf "\\nfailed-with %s: %s\\n" $? "$BASH_COMMAND"\' ERR';
/** What the script of `npm run slipway` starts, in the folder of the installation. */
const PROGRAM = 'build/slipway.js';
const NPM_WAS_RUN = 'npm-was-run';
/**
 * npm, and the checks in its script before the program starts, take much longer than the program itself. So only the first command of a guide
 * goes through npm: for the others, this function starts the program.
 */
const npmIn = (folder: string) => `npm() {
  if [[ ! -e "$HOME/${NPM_WAS_RUN}" || " $*" != *" slipway -- "* ]]; then touch "$HOME/${NPM_WAS_RUN}"; command npm "$@"; return; fi
  while [ "$1" != -- ]; do shift; done
  shift
  '${process.execPath}' '${folder}/${PROGRAM}' "$@"
}`;
const FAILURE = /^failed-with (\d+): /gm;
/** The home of a user who follows a guide, and the place of their temporary files. */
const SCRATCH = 'scratch';
/** The status with which `plan` and `apply` end when there are changes. */
const CHANGES = 2;

export interface Step {
  readonly commands: string;
  /** Texts that must be printed, in this order. */
  readonly printed: readonly string[];
}

/** Blocks of `sh` are run; a block of `text` after one shows its output, or parts of it. Other blocks are only shown. */
export function stepsOf(markdown: string): readonly Step[] {
  const steps: { commands: string; printed: readonly string[] }[] = [];
  for (const [, language, content] of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    if (language === 'sh') steps.push({ commands: content!, printed: [] });
    if (language === 'text') steps.at(-1)!.printed = content!.trim().split('\n');
  }
  return steps;
}

/** A folder that looks like an installation, with a data directory of its own. */
export function makeInstallation(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'));
  mkdirSync(join(folder, SCRATCH));
  for (const name of ['package.json', 'package-lock.json', 'node_modules', 'src', 'tools', 'build'])
    symlinkSync(join(root, name), join(folder, name));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** `replaced` are texts of the guide that are different here, such as addresses; only steps that `isRun` wants are run. */
export async function runGuide(
  path: string,
  folder: string,
  replaced: Readonly<Record<string, string>>,
  isRun: (step: Step) => boolean = () => true,
): Promise<void> {
  const guide = Object.entries(replaced).reduce(
    (markdown, [shown, real]) => {
      assert.ok(markdown.includes(shown), `${path} does not mention ${shown}`);
      return markdown.replaceAll(shown, real);
    },
    readFileSync(join(root, path), 'utf8'),
  );
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { slipway: string } };
  assert.equal(scripts.slipway, `node ${PROGRAM}`);
  const steps = stepsOf(guide).filter(isRun);
  assert.ok(steps.length > 0, path);
  const script = steps.map(({ commands }) => `${commands}\nprintf '\\n${MARK}\\n'`).join('\n');
  const scratch = join(folder, SCRATCH);
  rmSync(join(scratch, NPM_WAS_RUN), { force: true });
  const env = bareEnvironment({ HOME: scratch, TMPDIR: scratch });
  const shell = spawn('bash', ['-c', `${PROLOGUE}\n${npmIn(folder)}\n${script}`], { cwd: folder, env });
  const outputs = (await text(shell.stdout)).split(MARK);
  for (const [index, { commands, printed }] of steps.entries()) {
    const output = outputs[index] ?? '';
    const context = `${path}:\n${commands}\nprinted\n${output}`;
    const failures = [...output.matchAll(FAILURE)].map(([, status]) => Number(status));
    assert.ok(
      failures.every((status) => status === CHANGES && /slipway (?:plan|apply) /.test(commands)),
      context,
    );
    let from = 0;
    for (const line of printed) {
      const at = output.indexOf(line.trim(), from);
      assert.ok(at >= 0, `${context}\nwithout ${line}`);
      from = at + line.trim().length;
    }
  }
  assert.equal(outputs.length, steps.length + 1, `${path} ended early`);
}
