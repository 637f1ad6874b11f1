// Access tokens in rows, and the button that revokes one.
import { useState } from 'preact/hooks';
import { Chooser } from '../kit/chooser.tsx';
import { useFirstRows } from '../kit/list/first-rows.tsx';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { When } from '../kit/text/when.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { FILTERS, filterOf, shownTokens, type Token } from './token.ts';

interface TokenTableProps {
  readonly tokens: readonly Token[];
  /** Where they are read, and revoked. */
  readonly address: string;
  /** Whether they belong to several users. */
  readonly hasUsers?: boolean;
}

export function TokenTable({ tokens, address, hasUsers = false }: TokenTableProps) {
  const [search, setSearch] = useParameter('q');
  const [filterText, setFilter] = useParameter('filter', 'active');
  const [revoked, setRevoked] = useState<Token>();
  const filter = filterOf(filterText);
  const { rows, more } = useFirstRows(shownTokens(tokens, filter, search));
  return (
    <>
      <search class="toolbar">
        <SearchField of="tokens" value={search} onChange={setSearch} />
        <Chooser label="Which tokens" choices={FILTERS} value={filter} onChange={setFilter} />
      </search>
      {rows.length === 0 ? (
        <p class="empty">{filter === 'active' && search === '' ? 'No token is active.' : 'No token matches.'}</p>
      ) : (
        <div class="table-scroll">
          <table class="tokens">
            <thead>
              <tr>
                <th scope="col">Description</th>
                {hasUsers && <th scope="col">User</th>}
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">State</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {rows.map((token) => (
                <TokenRow key={token.id} token={token} hasUsers={hasUsers} onRevoke={() => setRevoked(token)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more}
      {revoked !== undefined && <RevokeToken token={revoked} address={address} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

interface TokenRowProps {
  readonly token: Token;
  readonly hasUsers: boolean;
  readonly onRevoke: () => void;
}

function TokenRow({ token, hasUsers, onRevoke }: TokenRowProps) {
  return (
    <tr>
      <td>{token.description}</td>
      {hasUsers && <td>{token.username}</td>}
      <td>
        <When at={token.created_at} />
      </td>
      <td>{token.last_used_at === null ? <span class="quiet">never</span> : <When at={token.last_used_at} />}</td>
      <td>
        <TokenState token={token} />
      </td>
      <td>
        {!token.revoked && (
          <button type="button" class="button is-small" aria-label={`Revoke ${token.description}`} onClick={onRevoke}>
            Revoke …
          </button>
        )}
      </td>
    </tr>
  );
}

function TokenState({ token: { revoked, revoked_at, revoked_by, revoke_cause } }: { readonly token: Token }) {
  if (!revoked) return <>active</>;
  return (
    <>
      <span class="badge">revoked</span> <When at={revoked_at} /> by {revoked_by}
      {revoke_cause !== null && revoke_cause !== '' && `: ${revoke_cause}`}
    </>
  );
}
