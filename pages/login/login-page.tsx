// Where people sign in, and learn how to get the first password.

import { useEffect } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { sessionState } from '../api/session.ts';
import { COMMAND } from '../kit/own-commands.ts';
import { useLocation, useParameter } from '../kit/routing.ts';
import { Command } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { LoginSources } from './login-sources.tsx';
import { FIRST_PAGE, isDocument, returnAddress } from './return-address.ts';

export function LoginPage() {
  useTitle('Sign in');
  const [, navigate] = useLocation();
  const [from] = useParameter('from', FIRST_PAGE);
  const state = sessionState.value;
  const goBack = (): void => {
    const address = returnAddress(from);
    if (isDocument(address)) location.replace(addressOf(address));
    else navigate(address, { replace: true });
  };
  useEffect(() => {
    if (state.is === 'signed-in') goBack();
  }, [state.is]);
  return (
    <main class="login">
      <h1>Slipway</h1>
      {state.is === 'signed-out' && state.hasEnded && <p role="status">Your session has ended. Sign in to go on where you were.</p>}
      <LoginSources returnTo={returnAddress(from)} />
      <FirstPassword />
    </main>
  );
}

/** The server does not reveal to unauthenticated clients whether the first password is still valid, so this is always shown. */
function FirstPassword() {
  return (
    <details>
      <summary>The first password of a new server</summary>
      <p>
        The first start makes the user <code>admin</code> and prints the password. Until it is changed, it also stands in the data
        directory. Where the server was started with <code>npm start</code>, in the same folder:
      </p>
      <Command text="cat data/initial-admin-password" />
      <p>In a container:</p>
      <Command text="docker exec CONTAINER cat /data/initial-admin-password" />
      <p>
        Elsewhere it is in the directory that <code>--data-dir</code> or <code>SLIPWAY_DATA_DIR</code> names. There is no such file where
        the password was given at the first start, or changed since. To set another one, on the machine of the server:
      </p>
      <Command text={`${COMMAND} user passwd admin`} />
    </details>
  );
}
