// The ways to sign in: a button for each provider, and name and password where a source takes them.
import { addressOf, path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { useParameter } from '../kit/routing.ts';
import { Loading } from '../kit/states.tsx';
import { failureSentence } from './login-failure.ts';
import { LoginForm } from './login-form.tsx';

interface LoginSource {
  readonly id: string;
  readonly label: string;
}

interface LoginSourcesAnswer {
  readonly takes_passwords: boolean;
  readonly _embedded: { readonly login_sources: readonly LoginSource[] };
}

export function LoginSources({ returnTo }: { readonly returnTo: string }) {
  const { data, isLoading } = useApi<LoginSourcesAnswer>('/api/login_sources', 1);
  const [failure] = useParameter('failure');
  const [source] = useParameter('source');
  if (isLoading) return <Loading />;
  // A server that does not name its sources may still take a password.
  const { takes_passwords: takesPasswords = true, _embedded: { login_sources: sources } = { login_sources: [] } } = data ?? {};
  const sentence = failureSentence(failure, sources.find(({ id }) => id === source)?.label);
  return (
    <>
      {sentence !== undefined && (
        <p class="refusal" role="alert">
          {sentence}
        </p>
      )}
      {sources.length > 0 && (
        <ul class="login-sources" aria-label="Ways to sign in">
          {sources.map(({ id, label }) => (
            <li key={id}>
              <a class="button" href={`${addressOf(path`/auth/login/${id}`)}?${new URLSearchParams({ return_to: returnTo })}`}>
                Sign in with {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {sources.length > 0 && takesPasswords && <p class="quiet">Or with a name and a password:</p>}
      {takesPasswords && <LoginForm />}
    </>
  );
}
