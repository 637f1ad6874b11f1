// The hints for mistakes that come without a hint of their own.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels are written with ${…}
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooLargeMessage } from '../../materials/files/limits.ts';
import { refusalText } from '../../shape/secrets/secret-refusal.ts';
import { hintFor } from './hints.ts';
import { notReached, reportedError } from './repo-error.ts';
import { notAllowed } from './rules.ts';

const ENCRYPTED = "Encrypted value for variable named 'A'";

const CASES: readonly (readonly [message: string, hint: RegExp])[] = [
  [refusalText('elsewhere', ENCRYPTED, ''), /^Encrypt the value for this config repo or pipeline group/],
  [refusalText('moved', ENCRYPTED, ''), /^Encrypt the value for the new address/],
  [notAllowed({ type: 'pipeline_group', name: 'g' }), /^Allow it in the rules/],
  ["You have defined multiple pipelines named 'a'. Pipeline names must be unique. Source(s): [x, y]", /^Rename the pipeline here/],
  ['Environment variable A defined more than once', /^Rename or remove one/],
  ["Environment Variable name 'A' is not unique for pipeline 'p'.", /^Rename or remove one/],
  ["The params used in field 'value' make its text more than 100,000 characters longer.", /^Make the values of the parameters shorter/],
  ['Invalid cron syntax: too few fields', /cron expression with seconds/],
  [
    "You have defined a label template in pipeline 'p' that refers to a material called 'x', but no material with this name is defined.",
    /\$\{COUNT\}/,
  ],
  [
    "Encrypted value for variable named 'A' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
    /encrypt/,
  ],
  ["Stage with name 's' does not exist on pipeline 'up', it is being referred to from pipeline 'p' (x)", /^Name a stage/],
  ["No profile defined corresponding to profile_id 'e'", /elastic agent profile/],
  ['Failed to parse pipeline p; Approval should be a hash or string [auto or manual]', /^Write manual or success/],
  ['Failed to parse pipeline p; tabs should be a hash', /^Write each tab under its title/],
  ["Failed to parse pipeline p; run_instances must be 'all' or a number", /^Write all/],
  ['Failed to parse pipeline p; String field spec: is required', /^Add it/],
  ['ci/a.gocd.yaml is a symbolic link that leads out of the repository.', /^Let the link lead/],
  ['The submodule lib is at file:///etc, which submodules must not be.', /\.gitmodules/],
  [tooLargeMessage('a.gocd.yaml', 3_000_000), /^Put its definitions into several files/],
  ["Pipeline 'p' refers to non-existent template 't'.", /^Create it first/],
  ['failed to save : Environment name is invalid. "+" should conform to the pattern - [a-z]*', /^Use letters, digits/],
  ['Expected a map in field timer, got a text.', /^Write a map, with a value under each key/],
  ['The plugin p was stopped, because it took longer than 30 seconds.', /limits in its plugin\.json/],
  ['The plugin p was stopped, because its answer has more than 2 MB.', /^Put its definitions into several files/],
  ['The plugin p ended with status 1: a required path is invalid', /^Tell the author of the plugin/],
  ['The plugin p was ended by a signal.', /^Tell the author of the plugin/],
  ['The plugin p ended with status 127: prlimit: failed to execute ./p: No such file or directory', /command in its plugin\.json/],
  ['The plugin p cannot be started: spawn ./p EACCES', /command in its plugin\.json/],
  ['Too many files wait for the plugin p.', /ask for an update/],
  ["Plugin 'nope' is not installed.", /^Install the plugin/],
];

for (const [message, hint] of CASES) test(`the hint for: ${message}`, () => assert.match(hintFor({ message }), hint));

test('names in a message do not decide its hint', () => {
  const hint = (message: string) => hintFor({ message });
  assert.equal(
    hint("Invalid pipeline name 'more than once'. This must be alphanumeric and so on."),
    hint("Invalid pipeline name '+'. This must be alphanumeric and so on."),
  );
  assert.match(hint('Failed to parse pipeline symbolic link that leads ; tabs should be a hash'), /^Write each tab/);
  assert.match(
    hint("Environment variable 'label' is defined more than once with different values. Source(s): [cron label.git, param]"),
    /^Rename or remove/,
  );
  assert.match(hint('Environment variable LABEL defined more than once'), /^Rename or remove/);
  assert.match(
    hint("Parameter 'cron' is not defined. All pipelines using this parameter directly or via a template must define it."),
    /^Define the parameter/,
  );
});

test('an unknown mistake gets the hint to correct it in its file', () => {
  const wrong = { message: 'Odd.', file: 'a.gocd.yaml', entity: "pipeline 'web'" };
  assert.equal(reportedError(wrong).hint, "Correct pipeline 'web' in a.gocd.yaml, and commit that.");
});

test('a hint that comes with the error wins', () => assert.equal(reportedError({ message: 'Odd.', hint: 'Do this.' }).hint, 'Do this.'));

test('a repository that cannot be read gets the hint to check its address, or to choose fewer files', () => {
  assert.match(notReached('repository not found').hint!, /^Check the address/);
  assert.match(notReached('More than 20,000 files match; choose fewer.').hint!, /^Choose fewer files/);
});
