// The users and roles that the server knows, for fields that name them. Only those who may give rights may list them.
import type { AnswerOf } from './answers.ts';
import { useApi } from './queries.ts';
import { currentSession } from './session.ts';

type MemberNames = AnswerOf<'GET /api/admin/internal/member_names'>;

const ADDRESS = '/api/admin/internal/member_names';
const VERSION = 1;

/** Without members while they are not known, or where the user may not list them. */
export function useKnownMembers(): Partial<MemberNames> {
  const { data = {} } = useApi<Partial<MemberNames>>(ADDRESS, VERSION, {
    isEnabled: currentSession()?.can?.list_member_names === true,
    changedBy: ({ kind }) => kind === 'config',
  });
  return data;
}
