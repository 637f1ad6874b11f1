// Writes without a pause, in the background of a test.
import type { Replica } from '../../support/server/replica.ts';
import { ENVIRONMENTS } from '../../support/server/replicas.ts';

const WRITERS = 4;

/** The outcome of the writes does not matter: they only see to it that one is under way at any moment. */
export async function whileWriting(replica: Replica, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const write = async (writer: number) => {
    for (let count = 0; !isOver && replica.isUp; count++) {
      const body = { name: 'load', environment_variables: [{ name: 'N', value: `${writer}-${count}` }] };
      await replica.put(`${ENVIRONMENTS}/load`, body, '*').catch(() => undefined);
    }
  };
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  await once200(replica);
  try {
    await work();
  } finally {
    isOver = true;
    void writing; // those that hang end with their server
  }
}

/** Writes through this one while something happens; returns the longest time between two that succeeded. */
export async function measureLongestPause(replica: Replica, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const probing = (async () => {
    for (let count = 0, last = performance.now(); !isOver; count++) {
      const body = { name: 'probe', environment_variables: [{ name: 'N', value: String(count) }] };
      const { status } = await replica.put(`${ENVIRONMENTS}/probe`, body, '*');
      const now = performance.now();
      longest = Math.max(longest, now - last);
      if (status === 200) last = now;
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await probing;
  }
  return longest;
}

async function once200(replica: Replica): Promise<void> {
  await replica.put(`${ENVIRONMENTS}/load`, { name: 'load' }, '*');
}
