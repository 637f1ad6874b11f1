import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftToken, endingBy, plainTokenRequest, successorOf, type Token } from './token.ts';
import { stateOf, tokenCounts, tokenFindings, tokenHealth } from './token-health.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2030-06-01T00:00:00Z');
const at = (days: number) => new Date(NOW + days * DAY).toISOString();
let id = 0;
const token = (changes: Partial<Token> = {}): Token => ({
  ...draftToken(plainTokenRequest('secret plans'), { loginName: 'ann', authConfigId: 'file' }, '', new Date(NOW - 200 * DAY)),
  id: ++id,
  ...changes,
});

test('the state of a token follows from its last use, its expiry and its revocation', () => {
  assert.equal(stateOf(token({ created_at: at(-29) }), NOW), 'active');
  assert.equal(stateOf(token({ created_at: at(-30) }), NOW), 'never_used');
  assert.equal(stateOf(token({ last_used_at: at(-89) }), NOW), 'active');
  assert.equal(stateOf(token({ last_used_at: at(-90) }), NOW), 'unused');
  assert.equal(stateOf(token({ expires_at: at(7) }), NOW), 'expiring');
  assert.equal(stateOf(token({ expires_at: at(8), last_used_at: at(0) }), NOW), 'active');
  assert.equal(stateOf(token({ expires_at: at(0) }), NOW), 'expired');
  assert.equal(stateOf(token({ expires_at: at(0), revoked_at: at(-1) }), NOW), 'revoked');
  const counts = tokenCounts([token(), token(), token({ expires_at: at(1) })], NOW);
  assert.deepEqual([counts.get('never_used'), counts.get('expiring'), counts.get('revoked')], [2, 1, 0]);
});

test('one message for each problem counts and names the tokens, without their descriptions', () => {
  id = 0;
  const findings = tokenFindings([token(), token(), token({ expires_at: at(1) }), token({ expires_at: at(-1) })], NOW);
  assert.deepEqual(
    findings.map(({ message }) => message),
    ['1 access token expires within 7 days', '2 access tokens were created and never used in the 30 days since'],
  );
  assert.match(findings[0]!.detail, /^It is the token 3 of ann\. /);
  assert.match(findings[1]!.detail, /^They are the tokens 1 of ann, 2 of ann\. /);
  assert.ok(!JSON.stringify(findings).includes('secret plans'));
  const many = tokenFindings(
    Array.from({ length: 25 }, () => token()),
    NOW,
  );
  assert.match(many[0]!.detail, / and 5 more\. /);
});

test('a message goes with its cause', () => {
  let tokens = [token()];
  const calls: string[] = [];
  const look = tokenHealth({ all: () => tokens }, { raise: (about) => calls.push(`+${about}`), clear: (about) => calls.push(`-${about}`) });
  look(NOW);
  tokens = [];
  look(NOW);
  assert.deepEqual(calls, ['+access tokens: never_used', '-access tokens: never_used']);
});

test('a successor lives as long as the token it replaces, which ends after the overlap or earlier', () => {
  const old = token({ created_at: at(-10), expires_at: at(20), lifetime_ms: 30 * DAY, scopes: '["agents:view:*"]' });
  const now = new Date(NOW);
  const request = successorOf(old, now);
  assert.deepEqual([request.expiresAt, request.scopes, request.description], [at(30), ['agents:view:*'], 'secret plans']);
  assert.equal(endingBy(old, NOW + DAY).expires_at, at(1));
  assert.equal(endingBy(old, NOW + 30 * DAY).expires_at, at(20));
  assert.equal(successorOf(token(), now).expiresAt, null);
  for (const [first, expiry] of [
    [old, at(30)],
    [token(), null],
  ] as const)
    assert.equal(successorOf(endingBy(first, NOW + DAY), now).expiresAt, expiry, 'the end of the overlap shortens no lifetime');
});
