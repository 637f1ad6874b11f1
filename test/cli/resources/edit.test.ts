// The command `edit`: with a real program as the editor, and a user who types answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { CommandLab } from './lab.ts';

const PATH = '/api/admin/environments/prod';
let lab: CommandLab;
before(async () => {
  lab = await CommandLab.start();
});
after(() => lab.stop());

const variable = (name: string, value: string) => ({ name, value, secure: false });
const BODY = { name: 'prod', environment_variables: [variable('REGION', 'north'), variable('MODE', 'fast')] };

beforeEach(async () => {
  if ((await lab.server.get(PATH)).status === 200) accepted(await lab.server.delete(PATH));
  accepted(await lab.server.post('/api/admin/environments', BODY));
});

const editedText = (turn: number) => readFileSync(join(lab.home, `seen-${turn}`), 'utf8');
const values = async () =>
  accepted(await lab.server.get(PATH)).json.environment_variables.map(({ value }: { readonly value: string }) => value);
const replacing = (from: string, to: string) => `return text.replace('${from}', '${to}');`;
const SOUTH = replacing('north', 'south');
const PROD = ['environment', 'prod'];

/** A change by another client while the editor is open. */
const change = (body: object) =>
  `const { url, token } = JSON.parse(readFileSync('${lab.home}/.config/slipway/contexts.json', 'utf8')).contexts.lab;
   const headers = { Authorization: 'bearer ' + token, 'Content-Type': 'application/merge-patch+json', 'If-Match': '*' };
   const answer = await fetch(url + '${PATH}', { method: 'PATCH', headers, body: '${JSON.stringify(body)}' });
   if (!answer.ok) throw new Error(await answer.text());`;

function keptFile(err: string): string {
  const [, path] = /Your text is kept in (.+)\n$/.exec(err) ?? [];
  assert.ok(path, err);
  return readFileSync(path, 'utf8');
}

describe('a change', () => {
  test('is shown, asked for and saved, with its reason', async () => {
    const { status, out, err } = await lab.edit([...PROD, '--reason', 'moved'], [SOUTH], { typed: ['y'] });
    assert.equal(status, 0, err);
    assert.match(out, /^~ environments prod\n.*'north' to 'south'.*\nSaved, as revision \d+\.\n$/s);
    assert.equal(err, 'Save it? [y]es, [e]dit again, [N]o ');
    assert.match(editedText(0), /^## environment prod on http.*\nname: prod\n/);
    assert.doesNotMatch(editedText(0), /_links|origin/);
    assert.deepEqual(await values(), ['south', 'fast']);
    assert.match(await lab.out('history', ...PROD, '--limit', '1'), /reason: moved/);
  });

  test('a change is made without a question with --yes, and not at all with --dry-run', async () => {
    const tried = await lab.edit([...PROD, '--dry-run'], [SOUTH]);
    assert.deepEqual([tried.status, await values()], [0, ['north', 'fast']]);
    assert.equal((await lab.edit([...PROD, '--yes'], [SOUTH])).status, 0);
    assert.deepEqual(await values(), ['south', 'fast']);
  });

  test('a text without a change changes nothing', async () => {
    for (const step of ['return text;', "return '';"]) {
      const { status, out } = await lab.edit(PROD, [step]);
      assert.deepEqual([status, out], [0, 'Nothing was changed.\n']);
    }
  });

  test('a change that the user does not confirm is kept in a file', async () => {
    const { status, err } = await lab.edit(PROD, [SOUTH], { typed: ['n'] });
    assert.equal(status, 1);
    assert.match(keptFile(err), /south/);
    assert.match((await lab.edit(PROD, [SOUTH])).err, /no terminal to ask for consent: give --yes.*\nYour text is kept/);
    assert.deepEqual(await values(), ['north', 'fast']);
  });

  test('can be edited again before it is saved', async () => {
    const { status } = await lab.edit(PROD, [SOUTH, replacing('fast', 'slow')], { typed: ['e', 'y'] });
    assert.equal(status, 0);
    assert.deepEqual(await values(), ['south', 'slow']);
  });
});

describe('a text that is wrong', () => {
  test('a wrong text is opened again with the problems above it', async () => {
    const { status, err } = await lab.edit(
      [...PROD, '--yes'],
      [replacing('name: MODE', 'name: REGION'), replacing('name: REGION', 'name: OTHER')],
    );
    assert.equal(status, 0, err);
    assert.match(editedText(1), /^## Refused: .*\n## \/.*: .*\n/);
  });

  test('a text that cannot be parsed is opened again', async () => {
    const { status, err } = await lab.edit([...PROD, '--yes'], ["return text + 'broken: [';", replacing('broken: [', '')]);
    assert.equal(status, 0, err);
    assert.match(editedText(1), /^## The text below, line:\d+: /);
  });

  test('a text that stays wrong ends the command, and is kept in a file', async () => {
    const { status, err } = await lab.edit([...PROD, '--yes'], ["return text + 'broken: [';"]);
    assert.equal(status, 1);
    assert.match(keptFile(err), /broken: \[/);
  });

  test('a text that is wrong in another way each time ends the command after ten tries', async () => {
    const { status, err } = await lab.edit([...PROD, '--yes'], Array(15).fill("return text + 'broken: [\\n';"));
    assert.equal(status, 1);
    assert.match(err, /The text was wrong 10 times\. Nothing was changed\.\n/);
    assert.equal(keptFile(err).match(/broken/g)?.length, 10);
  });

  test('an editor that fails, or is missing, changes nothing', async () => {
    const failing = await lab.edit(PROD, ['return 3;']);
    assert.equal(failing.status, 1);
    assert.match(failing.err, /ended with 3\. Nothing was changed\.\n$/);
    const { status, err } = await lab.run(['edit', ...PROD], { environment: { EDITOR: 'no-such-editor' } });
    assert.equal(status, 1);
    assert.match(err, /no-such-editor cannot be started.*Name another one with EDITOR\.\n$/);
  });
});

test('Ctrl+C in the editor, which this process gets too, is left to the editor', async () => {
  const { status, err } = await lab.edit([...PROD, '--dry-run'], [`process.kill(process.ppid, 'SIGINT'); ${replacing('prod', 'prod')}`]);
  assert.equal(status, 0, err);
});

test('text saved by an editor that fails in the end is kept', async () => {
  const script = lab.file(
    'failing.mjs',
    `import { appendFileSync } from 'node:fs'; appendFileSync(process.argv[2], 'typed: 1\\n'); process.exit(3);`,
  );
  const { status, err } = await lab.run(['edit', ...PROD], { environment: { EDITOR: `${process.execPath} ${script}` } });
  assert.equal(status, 1);
  assert.match(err, /ended with 3\. Nothing was changed\.\n/);
  assert.match(keptFile(err), /^typed: 1$/m);
});

test('an editor that deletes the file changes nothing', async () => {
  const { out } = await lab.expect(0, ['edit', ...PROD], { environment: { EDITOR: 'rm' } });
  assert.equal(out, 'Nothing was changed.\n');
});

describe('another user has changed it meanwhile', () => {
  const otherField = { environment_variables: [variable('REGION', 'north'), variable('MODE', 'slow')] };
  const sameField = { environment_variables: [variable('REGION', 'west'), variable('MODE', 'fast')] };

  test('a change of another field is shown beside the own one, and merged', async () => {
    const { status, err, out } = await lab.edit(PROD, [`${change(otherField)} ${SOUTH}`], { typed: ['m'] });
    assert.equal(status, 0, err);
    assert.match(
      err,
      /^Another user has changed it meanwhile.*\n {2}revision \d+, .*, admin\nTheirs:\n.*'fast' to 'slow'.*Yours:\n.*'north' to 'south'/s,
    );
    assert.match(out, /Saved, as revision/);
    assert.deepEqual(await values(), ['south', 'slow']);
  });

  test('after a change of the same field the text is edited again, on top of theirs', async () => {
    const { status, err } = await lab.edit(PROD, [`${change(sameField)} ${SOUTH}`, replacing('value: south', 'value: east')], {
      typed: ['e', 'y'],
    });
    assert.equal(status, 0, err);
    assert.match(err, /Both have changed: \/environment_variables.*\[e\]dit on top of theirs/s);
    assert.doesNotMatch(err, /merge/);
    assert.match(editedText(1), /^## Another user has changed it.*\n(?:##.*\n)*## This is your text\./);
    assert.deepEqual(await values(), ['east', 'fast']);
  });

  test('after a change of the same field the own text can stay as it is', async () => {
    const { status, err } = await lab.edit(PROD, [`${change(sameField)} ${SOUTH}`], { typed: ['e', 'y'] });
    assert.equal(status, 0, err);
    assert.deepEqual(await values(), ['south', 'fast']);
  });

  test('without a user to ask, the command ends with a conflict, and the text is kept', async () => {
    const { status, err } = await lab.edit([...PROD, '--yes'], [`${change(sameField)} ${SOUTH}`]);
    assert.equal(status, 5);
    assert.match(keptFile(err), /south/);
    assert.deepEqual(await values(), ['west', 'fast']);
  });

  test('after a deletion the text is kept', async () => {
    const gone = change({})
      .replace("method: 'PATCH'", "method: 'DELETE'")
      .replace(/, body: '[^']*'/, '');
    const { status, err } = await lab.edit([...PROD, '--yes'], [`${gone} ${SOUTH}`]);
    assert.equal(status, 3, err);
    assert.match(keptFile(err), /south/);
  });
});
