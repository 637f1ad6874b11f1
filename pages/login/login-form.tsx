// Name and password, and why they were refused.
import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from '../api/session.ts';
import { now } from '../kit/text/time.ts';
import { type Refused, refusedBecause, secondsUntil, sentenceOf } from './refused.ts';

export function LoginForm() {
  const [refused, setRefused] = useState<Refused>();
  const [isSending, setIsSending] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const wait = secondsUntil(refused?.until, now.value);
  useEffect(() => name.current?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending || wait > 0) return;
    setIsSending(true);
    setRefused(undefined);
    try {
      await signIn(name.current?.value ?? '', password.current?.value ?? '');
    } catch (failure) {
      setRefused(refusedBecause(failure, Date.now()));
      password.current?.select();
    } finally {
      setIsSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Name
        <input ref={name} name="username" autocomplete="username" autocapitalize="none" spellcheck={false} required />
      </label>
      <label>
        Password
        <input ref={password} name="password" type="password" autocomplete="current-password" required />
      </label>
      {refused !== undefined && (
        <p class="refusal" role="alert">
          {sentenceOf(refused, wait)}
        </p>
      )}
      <button type="submit" class="button is-primary" disabled={isSending || wait > 0}>
        {isSending ? 'Signing in …' : wait > 0 ? `Sign in (in ${wait} s)` : 'Sign in'}
      </button>
    </form>
  );
}
