// One token: its limits, its usage, and the scopes that would be enough for that usage.
import { useApi } from '../api/queries.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { Loaded } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { TOKENS_VERSION, type Token, type TokenWithUse } from './token.ts';

interface TokenDetailsProps {
  readonly token: Token;
  readonly address: string;
  readonly onClose: () => void;
  /** Absent: the user cannot make tokens here. */
  readonly onRestrictScopes: ((scopes: readonly string[]) => void) | undefined;
}

export function TokenDetails({ token: { id, description }, address, onClose, onRestrictScopes }: TokenDetailsProps) {
  const read = useApi<TokenWithUse>(`${address}/${id}`, TOKENS_VERSION);
  return (
    <Dialog title={`The token “${description}”`} onClose={onClose}>
      <div class="dialog-body">
        <Loaded read={read}>{(token) => <Facts token={token} onRestrictScopes={onRestrictScopes} />}</Loaded>
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

function Facts({ token, onRestrictScopes }: { readonly token: TokenWithUse } & Pick<TokenDetailsProps, 'onRestrictScopes'>) {
  const { expires_at, scopes, allowed_addresses, used_scopes = [], proposed_scopes = [] } = token;
  return (
    <>
      <h3>Expires</h3>
      <p>{expires_at === undefined ? 'never' : <RelativeTime at={expires_at} />}</p>
      <h3>Scopes</h3>
      <Texts of={scopes} otherwise="All rights of its user." />
      <h3>Addresses</h3>
      <Texts of={allowed_addresses} otherwise="From everywhere." />
      <h3>Used for</h3>
      <Texts of={used_scopes} otherwise="Nothing yet. What it is used for appears within a minute." />
      {proposed_scopes.length > 0 && (
        <>
          <h3>These scopes would be enough</h3>
          <Texts of={proposed_scopes} otherwise="" />
          {onRestrictScopes !== undefined && (
            <button type="button" class="button" onClick={() => onRestrictScopes(proposed_scopes)}>
              Make a token with just these
            </button>
          )}
        </>
      )}
    </>
  );
}

function Texts({ of = [], otherwise }: { readonly of?: readonly string[] | undefined; readonly otherwise: string }) {
  if (of.length === 0) return <p class="quiet">{otherwise}</p>;
  return (
    <ul class="token-scopes">
      {of.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}
