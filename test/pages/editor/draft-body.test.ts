// The body that is kept of a form that is not saved yet.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftBody } from '../../../pages/forms/drafts/draft-body.ts';

const none = () => false;

describe('the draft of a form', () => {
  it('has all that was typed', () => {
    const typed = { name: 'web', parameters: [{ name: 'a', value: '1' }], timer: null, ignored: undefined };
    assert.deepEqual(draftBody(typed, {}, none), { name: 'web', parameters: [{ name: 'a', value: '1' }], timer: null });
  });

  it('has no secret variable, and in its place the stored one', () => {
    const before = { environment_variables: [{ name: 'KEY', secure: true, encrypted_value: 'AES:1' }] };
    const typed = {
      environment_variables: [
        { name: 'NEW', secure: true, value: 'hush' },
        { name: 'KEY', secure: true, value: 'hush-hush' },
        { name: 'PLAIN', secure: false, value: 'seen' },
      ],
    };
    const draft = draftBody(typed, before, none);
    assert.deepEqual(draft, {
      environment_variables: [
        { name: 'NEW', secure: true },
        { name: 'KEY', secure: true, encrypted_value: 'AES:1' },
        { name: 'PLAIN', secure: false, value: 'seen' },
      ],
    });
    assert.ok(!JSON.stringify(draft).includes('hush'));
  });

  it('has no password, wherever it stands', () => {
    const before = { materials: [{ type: 'git', attributes: { url: 'u', encrypted_password: 'AES:2' } }] };
    const typed = { secret: 'hush', materials: [{ type: 'git', attributes: { url: 'u', password: 'hush' } }] };
    assert.deepEqual(draftBody(typed, before, none), before);
  });

  it('has no setting that was a secret, or that its plugin declares as a secret', () => {
    const before = { configuration: [{ key: 'token', encrypted_value: 'AES:3' }] };
    const typed = {
      configuration: [
        { key: 'token', value: 'hush' },
        { key: 'password', value: 'hush' },
        { key: 'pattern', value: '*.yaml' },
      ],
    };
    assert.deepEqual(
      draftBody(typed, before, (key) => key === 'password'),
      { configuration: [{ key: 'token', encrypted_value: 'AES:3' }, { key: 'password' }, { key: 'pattern', value: '*.yaml' }] },
    );
  });

  it('has no password of an address, and keeps the mark of a stored password', () => {
    const typed = {
      url: 'https://me:hush@example.org/hook',
      materials: [
        { attributes: { url: 'https://hush@example.org/a.git' } },
        { attributes: { url: 'https://me:******@example.org/b.git' } },
      ],
    };
    assert.deepEqual(draftBody(typed, {}, none), {
      url: 'https://me@example.org/hook',
      materials: [{ attributes: { url: 'https://example.org/a.git' } }, { attributes: { url: 'https://me:******@example.org/b.git' } }],
    });
  });

  it('keeps encrypted values as they are', () => {
    const both = { environment_variables: [{ name: 'KEY', secure: true, encrypted_value: 'AES:1' }] };
    assert.deepEqual(draftBody(both, both, none), both);
  });
});
