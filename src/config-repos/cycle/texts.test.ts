import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorText, fetchErrorText, missingPlugin, noFiles, notMerged, notParsed, problemsText } from './texts.ts';

const SOURCE = 'https://scm.example.org/a.git at revision 3f2a';
const rule = (message: string) => ({ message, isRule: true });
const other = (message: string) => ({ message, isRule: false });

test('problems in files are listed place by place', () => {
  const problems = [
    { location: 'a.yaml; Pipeline web', message: 'one' },
    { location: 'b.yaml', message: 'two' },
    { location: 'a.yaml; Pipeline web', message: 'three' },
  ];
  assert.equal(problemsText(problems), 'a.yaml; Pipeline web;\n1. one\n2. three\nb.yaml;\n1. two\n');
  const many = Array.from({ length: 250 }, () => problems[1]!);
  assert.match(problemsText(many), /\n200\. two\n50 more are not shown\.\n$/);
});

test('problems of the merge are listed, with other words for those of rules', () => {
  assert.deepEqual(notMerged([other('one'), other('two')], SOURCE), {
    message: 'Invalid Merged Configuration',
    detail: `Number of errors: 2+\n1. one\n2. two\n- For Config Repo: ${SOURCE}`,
  });
  assert.equal(
    notMerged([other('one'), rule('not allowed')], SOURCE).detail,
    `Number of errors: 2+\nI. Rule Validation Errors: \n\t1. not allowed\n\nII. Config Validation Errors: \n\t1. one\n- For Config Repo: ${SOURCE}`,
  );
  assert.equal(
    notMerged([rule('not allowed')], SOURCE).detail,
    `Number of errors: 1+\nI. Rule Validation Errors: \n\t1. not allowed\n- For Config Repo: ${SOURCE}`,
  );
});

test('the error text of the parse state depends on the outcome', () => {
  const merge = notMerged([other('one')], SOURCE);
  assert.equal(errorText({ ...merge, outcome: 'refused' }), `INVALID MERGED CONFIGURATION\n${merge.detail}`);
  const parse = notParsed('yaml.config.plugin', 'URL: x, Branch: main', 'a.yaml;\n1. one\n');
  assert.equal(parse.message, 'Parsing configuration repository using Plugin yaml.config.plugin failed for material: URL: x, Branch: main');
  assert.equal(errorText({ ...parse, outcome: 'unparsed' }), 'a.yaml;\n1. one\n');
  assert.equal(errorText({ ...noFiles('one', '*.yaml', []), outcome: 'published' }), null);
  assert.equal(errorText({ message: '', detail: '', outcome: 'unread' }), null);
  assert.equal(fetchErrorText({ message: 'Check failed', detail: 'no such host' }), 'CHECK FAILED\nno such host');
  assert.equal(
    missingPlugin('x', 'URL: y, Branch: z').message,
    "Failed to obtain configuration plugin 'x' for material: URL: y, Branch: z",
  );
});
