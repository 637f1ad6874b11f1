// Name and password, and why they were refused.
import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from '../api/session.ts';
import { now } from '../kit/text/time.ts';
import { type Refusal, refusalOf, secondsUntil, sentenceOf } from './refusal.ts';

export function LoginForm() {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isSending, setIsSending] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const wait = secondsUntil(refusal?.until, now.value);
  useEffect(() => name.current?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending || wait > 0) return;
    setIsSending(true);
    setRefusal(undefined);
    try {
      await signIn(name.current?.value ?? '', password.current?.value ?? '');
    } catch (failure) {
      setRefusal(refusalOf(failure, Date.now()));
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
      {refusal !== undefined && (
        <p class="refusal" role="alert">
          {sentenceOf(refusal, wait)}
        </p>
      )}
      <button type="submit" class="button is-primary" disabled={isSending || wait > 0}>
        {isSending ? 'Signing in …' : wait > 0 ? `Sign in (in ${wait} s)` : 'Sign in'}
      </button>
    </form>
  );
}
