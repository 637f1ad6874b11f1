// A page for administrators. It says so to others without a request that would be refused.
import type { ComponentChildren } from 'preact';
import { currentSession } from '../api/session.ts';
import { Empty, Loading } from './states.tsx';

export function AdminsOnly({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const session = currentSession();
  if (session === undefined) return <Loading />;
  if (session.is_admin) return <>{children}</>;
  return (
    <>
      <h1>{title}</h1>
      <Empty text="Only system administrators see this page. Ask one of them for what you need from it." />
    </>
  );
}
